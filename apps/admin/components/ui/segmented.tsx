'use client';
import { ToggleGroup } from 'radix-ui';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string }[];
}

/** A choice of few, all in sight. */
export function Segmented<T extends string>({ label, value, onChange, options }: SegmentedProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      onValueChange={(next) => next && onChange(next as T)}
      className="inline-flex h-8 shrink-0 items-center self-start rounded-md border bg-sunken p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className="h-full rounded-sm px-2.5 text-muted text-xs transition-colors duration-100 hover:text-text data-[state=on]:bg-surface data-[state=on]:font-medium data-[state=on]:text-text data-[state=on]:shadow-[0_0_0_1px_var(--line)]"
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
