'use client';
import { Search } from 'lucide-react';
import { Input } from '@/components/ui/input';
import { Kbd } from '@/components/ui/kbd';

interface SearchBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The page's search; "/" moves here, Esc empties it. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  return (
    <div className="relative w-full sm:w-72">
      <Search className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" aria-hidden />
      <Input
        type="search"
        data-search=""
        aria-label={label}
        placeholder={label}
        value={value}
        className="pr-8 pl-8"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value) {
            event.stopPropagation();
            onChange('');
          }
        }}
      />
      {!value && (
        <span className="pointer-events-none absolute top-1.5 right-1.5" aria-hidden>
          <Kbd>/</Kbd>
        </span>
      )}
    </div>
  );
}
