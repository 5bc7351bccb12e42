'use client';
import { CodeBlock } from '@/components/ui/code-block';
import { t } from '@/strings';
import type { Heard } from '../_client/use-connection';

const text = t.playground;

/** What the server told by itself, the newest first. */
export function NotificationsTab({ heard }: { heard: { items: Heard[]; dropped: number } }) {
  if (heard.items.length === 0) return <p className="text-muted text-sm">{text.noNotifications}</p>;
  return (
    <div className="flex flex-col gap-2">
      {heard.dropped > 0 && <p className="text-muted text-xs">{text.notificationsDropped(heard.dropped)}</p>}
      <ol aria-label={text.tabs.notifications} className="flex flex-col gap-2">
        {[...heard.items].reverse().map((entry) => (
          <li key={entry.id} className="flex flex-col gap-1">
            <p className="flex items-baseline justify-between gap-3 text-xs">
              <code className="font-medium">{entry.method}</code>
              <time className="text-muted tabular-nums" dateTime={new Date(entry.at).toISOString()}>
                {new Date(entry.at).toLocaleTimeString('en-GB')}
              </time>
            </p>
            {Object.keys(entry.params).length > 0 && (
              <CodeBlock label={entry.method} className="max-h-40" wrap>
                {JSON.stringify(entry.params, null, 2)}
              </CodeBlock>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
