'use client';
import type { TryToolAnswer } from '@gantry/contracts';
import { useState } from 'react';
import { ContentBlocks } from '@/components/content/content-block';
import { Code } from '@/components/content/media';
import { CopyButton } from '@/components/ui/copy-button';
import { Segmented } from '@/components/ui/segmented';
import { t } from '@/strings';

const text = t.tryIt;
type View = keyof typeof text.view;

/** The result of a tool call: as a reader sees it, its structured content, and as it came. */
export function ResultView({ result }: { result: TryToolAnswer }) {
  const [view, setView] = useState<View>('rendered');
  const content = result.content ?? [];
  const json = JSON.stringify(view === 'raw' ? result : result.structuredContent, null, 2);
  const copied =
    view === 'rendered'
      ? content.map((block) => (typeof block.text === 'string' ? block.text : JSON.stringify(block))).join('\n')
      : json;
  return (
    <section aria-label={text.result} className="flex flex-col gap-2">
      <header className="flex items-center justify-between">
        <Segmented
          label={text.result}
          value={view}
          onChange={setView}
          options={(Object.keys(text.view) as View[]).map((value) => ({ value, label: text.view[value] }))}
        />
        <CopyButton text={copied ?? ''} what={text.result} />
      </header>
      {view === 'rendered' ? (
        content.length > 0 ? (
          <ContentBlocks content={content} />
        ) : (
          <p className="text-muted text-sm">{text.noContent}</p>
        )
      ) : json === undefined ? (
        <p className="text-muted text-sm">{text.noStructured}</p>
      ) : (
        <Code label={text.result}>{json}</Code>
      )}
    </section>
  );
}
