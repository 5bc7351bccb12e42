import Link from 'next/link';
import { PageHeader } from '@/components/page/page-header';

interface PickKindProps {
  title: string;
  hint: string;
  kinds: readonly { href: string; name: string; text: string }[];
}

/** The first step of something new: which kind of it. */
export function PickKind({ title, hint, kinds }: PickKindProps) {
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title={title} description={hint} />
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {kinds.map((kind) => (
          <li key={kind.href}>
            <Link
              href={kind.href}
              className="block h-full rounded-lg border bg-surface p-4 transition-colors duration-100 hover:border-line-strong hover:bg-hover"
            >
              <span className="font-semibold text-base">{kind.name}</span>
              <span className="mt-1 block text-muted text-sm">{kind.text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
