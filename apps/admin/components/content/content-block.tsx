'use client';
import { Code, Media } from '@/components/content/media';
import { ResourceView } from '@/components/content/resource-view';
import { indentJson, isObject } from '@/lib/json';

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
