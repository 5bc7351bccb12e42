'use client';
import type { TryToolAnswer } from '@gantry/contracts';
import { useState } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { Segmented } from '@/components/ui/segmented';
import { formatBytes } from '@/lib/format';
import { indentJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.tryIt;
type View = keyof typeof text.view;
type Block = TryToolAnswer['content'][number];

export function ResultView({ result }: { result: TryToolAnswer }) {
  const [view, setView] = useState<View>('rendered');
  const json = JSON.stringify(view === 'raw' ? result : result.structuredContent, null, 2);
  const copied =
    view === 'rendered'
      ? result.content.map((block) => (typeof block.text === 'string' ? block.text : JSON.stringify(block))).join('\n')
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
        result.content.length > 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a finished result never move
          result.content.map((block, index) => <ContentBlock key={index} block={block} />)
        ) : (
          <p className="text-muted text-sm">{text.noContent}</p>
        )
      ) : json === undefined ? (
        <p className="text-muted text-sm">{text.noStructured}</p>
      ) : (
        <Code>{json}</Code>
      )}
    </section>
  );
}

function Code({ children }: { children: string }) {
  return (
    <CodeBlock label={text.result} className="max-h-96" wrap>
      {children}
    </CodeBlock>
  );
}

/** One content block by its type; what is not known here is shown as it came. */
function ContentBlock({ block }: { block: Block }) {
  const { type, text: own, data, mimeType, uri, name } = block as Record<string, string | undefined>;
  if (type === 'text' && own !== undefined) return <Code>{indentJson(own)}</Code>;
  if (type === 'image' && data && mimeType?.startsWith('image/')) {
    return (
      // biome-ignore lint/performance/noImgElement: a data: URL gains nothing from an image service
      <img
        src={`data:${mimeType};base64,${data}`}
        alt={sizeOf(type, data)}
        className="max-h-80 max-w-full self-start rounded-md border"
      />
    );
  }
  if (type === 'audio' && data && mimeType?.startsWith('audio/')) {
    // biome-ignore lint/a11y/useMediaCaption: a tool's audio comes without captions
    return <audio controls src={`data:${mimeType};base64,${data}`} aria-label={sizeOf(type, data)} />;
  }
  if (type === 'resource_link' && uri) {
    return (
      <p className="rounded-md border bg-sunken px-2.5 py-2 text-sm">
        {name && <span className="font-medium">{name} </span>}
        <code className="break-all text-muted text-xs">{uri}</code>
      </p>
    );
  }
  return <Code>{JSON.stringify(block, null, 2)}</Code>;
}

const sizeOf = (kind: string, base64: string) => text.binary(kind, formatBytes(Math.floor((base64.length * 3) / 4)));
