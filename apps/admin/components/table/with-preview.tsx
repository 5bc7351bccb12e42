import type { ReactNode } from 'react';
import { cn } from '@/components/cn';

interface WithPreviewProps {
  label: string;
  /** The preview of the chosen row, while one is chosen. */
  preview: ReactNode;
  children: ReactNode;
}

/** A list with a preview beside it; on narrow screens the preview comes first, where it is seen. */
export function WithPreview({ label, preview, children }: WithPreviewProps) {
  return (
    <div
      className={cn('grid items-start gap-x-6 gap-y-5', preview && 'xl:grid-cols-[minmax(0,1fr)_minmax(360px,420px)]')}
    >
      <div className="min-w-0">{children}</div>
      {preview && (
        <aside aria-label={label} className="min-w-0 max-xl:order-first xl:sticky xl:top-6">
          {preview}
        </aside>
      )}
    </div>
  );
}
