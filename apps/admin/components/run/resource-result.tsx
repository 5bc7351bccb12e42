'use client';
import type { TryResourceAnswer } from '@gantry/contracts';
import { ResourceView } from '@/components/content/resource-view';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

/** What a read of a resource gave; one read may give several contents. */
export function ResourceResultView({ result }: { result: TryResourceAnswer }) {
  const contents = Array.isArray(result.contents) ? result.contents.filter(isObject) : [];
  if (contents.length === 0) return <p className="text-muted text-sm">{t.resources.preview.noContents}</p>;
  return (
    <div className="flex flex-col gap-4">
      {contents.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: contents of a finished answer never move
        <ResourceView key={index} contents={entry} />
      ))}
    </div>
  );
}
