'use client';
import type { TryPromptAnswer } from '@gantry/contracts';
import { ContentBlocks } from '@/components/content/content-block';
import { Badge } from '@/components/ui/badge';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

const text = t.prompts.preview;

/** The messages of a rendered prompt, by role, as a client puts them before its model. */
export function PromptResultView({ result }: { result: TryPromptAnswer }) {
  const messages = Array.isArray(result.messages) ? result.messages.filter(isObject) : [];
  return (
    <section aria-label={text.messages} className="flex flex-col gap-3">
      {result.description && <p className="text-muted text-sm">{result.description}</p>}
      {messages.length === 0 && <p className="text-muted text-sm">{text.noMessages}</p>}
      {messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages of a finished answer never move
        <article key={index} className="flex flex-col items-start gap-1.5">
          <Badge>{text.roles[String(message.role)] ?? String(message.role)}</Badge>
          <div className="w-full min-w-0">
            <ContentBlocks content={message.content} />
          </div>
        </article>
      ))}
    </section>
  );
}
