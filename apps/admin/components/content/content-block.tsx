'use client';
import { ResourceView } from '@/components/content/resource-view';
import { CodeBlock } from '@/components/ui/code-block';
import { formatBytes } from '@/lib/format';
import { indentJson, isObject } from '@/lib/json';
import { t } from '@/strings';

const text = t.content;

/** Content as the protocol has it: one block or a list of them. */
export function ContentBlocks({ content }: { content: unknown }) {
  const blocks = (Array.isArray(content) ? content : [content]).filter(isObject);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a finished answer never move
        <ContentBlock key={index} block={block} />
      ))}
    </div>
  );
}

/** One content block by its type; what is not known here is shown as it came. */
export function ContentBlock({ block }: { block: Record<string, unknown> }) {
  const { type, text: own, data, mimeType, uri, name, resource } = block;
  if (type === 'text' && typeof own === 'string') return <Code>{indentJson(own)}</Code>;
  if (type === 'image' && typeof data === 'string') return <Media mimeType={String(mimeType)} base64={data} />;
  if (type === 'audio' && typeof data === 'string') return <Media mimeType={String(mimeType)} base64={data} />;
  if (type === 'resource' && isObject(resource)) return <ResourceView contents={resource} />;
  if (type === 'resource_link' && typeof uri === 'string') {
    return (
      <p className="rounded-md border bg-sunken px-2.5 py-2 text-sm">
        {typeof name === 'string' && <span className="font-medium">{name} </span>}
        <code className="break-all text-muted text-xs">{uri}</code>
      </p>
    );
  }
  return <Code>{JSON.stringify(block, null, 2)}</Code>;
}

/** Text as it is, in a box of its own. */
export function Code({ children, label = text.block }: { children: string; label?: string }) {
  return (
    <CodeBlock label={label} className="max-h-96" wrap>
      {children}
    </CodeBlock>
  );
}

/** An image or a sound; a type the browser should not be handed is named with its size. */
export function Media({ mimeType, base64 }: { mimeType: string; base64: string }) {
  const what = text.binary(mimeType, formatBytes(sizeOfBase64(base64)));
  const src = `data:${mimeType};base64,${base64}`;
  if (/^image\/[\w.+-]+$/.test(mimeType)) {
    return (
      // biome-ignore lint/performance/noImgElement: a data: URL gains nothing from an image service
      <img src={src} alt={what} className="max-h-80 max-w-full self-start rounded-md border" />
    );
  }
  if (/^audio\/[\w.+-]+$/.test(mimeType)) {
    // biome-ignore lint/a11y/useMediaCaption: a tool's audio comes without captions
    return <audio controls src={src} aria-label={what} className="max-w-full" />;
  }
  return <p className="text-muted text-sm">{what}</p>;
}

export const sizeOfBase64 = (base64: string) =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
