'use client';
import { CodeBlock } from '@/components/ui/code-block';
import { formatBytes } from '@/lib/format';
import { t } from '@/strings';

const text = t.content;

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
