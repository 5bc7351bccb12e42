import type { ReactNode } from 'react';
import { Mark } from '@/components/shell/mark';
import { t } from '@/strings';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <main id="main" className="mx-auto flex min-h-dvh w-full max-w-[376px] flex-col justify-center gap-6 px-5 py-12">
      <p className="flex items-center gap-2.5 font-semibold text-base">
        <Mark className="size-7" /> {t.common.product}
      </p>
      {children}
    </main>
  );
}
