'use client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Code, Media, sizeOfBase64 } from '@/components/content/media';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Segmented } from '@/components/ui/segmented';
import { formatBytes } from '@/lib/format';
import { indentJson } from '@/lib/json';
import { t } from '@/strings';

const text = t.content;

/** The contents of one resource (`{uri, mimeType?, text | blob}`), by their MIME type. */
export function ResourceView({ contents }: { contents: Record<string, unknown> }) {
  const mimeType = typeof contents.mimeType === 'string' ? contents.mimeType : undefined;
  const uri = String(contents.uri ?? '');
  const body = typeof contents.text === 'string' ? contents.text : undefined;
  const blob = typeof contents.blob === 'string' ? contents.blob : undefined;
  const size = body === undefined ? sizeOfBase64(blob ?? '') : new TextEncoder().encode(body).length;
  return (
    <section aria-label={uri} className="flex min-w-0 flex-col gap-2">
      <header className="flex min-w-0 items-center gap-2 text-xs">
        <code className="min-w-0 flex-1 truncate" title={uri}>
          {uri}
        </code>
        <span className="shrink-0 text-muted tabular-nums">
          {mimeType ?? text.noMimeType} · {formatBytes(size)}
        </span>
        {body !== undefined && <CopyButton text={body} what={uri} />}
      </header>
      {body !== undefined ? (
        <Text mimeType={mimeType ?? ''} uri={uri} body={body} />
      ) : blob !== undefined ? (
        <Blob64 mimeType={mimeType ?? ''} uri={uri} base64={blob} />
      ) : (
        <Code>{JSON.stringify(contents, null, 2)}</Code>
      )}
    </section>
  );
}

function Text({ mimeType, uri, body }: { mimeType: string; uri: string; body: string }) {
  const [view, setView] = useState<'source' | 'page'>('source');
  if (/[/+]json\b/.test(mimeType)) return <Code>{indentJson(body)}</Code>;
  if (!/^(text\/html|application\/xhtml\+xml)\b/.test(mimeType)) return <Code>{body}</Code>;
  return (
    <>
      <Segmented
        label={text.htmlView}
        value={view}
        onChange={setView}
        options={[
          { value: 'source', label: text.source },
          { value: 'page', label: text.page },
        ]}
      />
      {view === 'source' ? (
        <Code>{body}</Code>
      ) : (
        <>
          {/* An empty sandbox: no script, no form, no way to the page around it, an origin of its own. */}
          <iframe
            sandbox=""
            srcDoc={body}
            title={text.pageOf(uri)}
            className="h-80 w-full rounded-md border bg-white"
          />
          <p className="text-muted text-xs">{text.sandboxed}</p>
        </>
      )}
    </>
  );
}

function Blob64({ mimeType, uri, base64 }: { mimeType: string; uri: string; base64: string }) {
  function download() {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    // Never by its own type: a page or script must not open in the console's origin.
    const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = uri.split(/[/?#]/).filter(Boolean).at(-1) ?? 'resource';
    link.click();
    URL.revokeObjectURL(url);
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <Media mimeType={mimeType} base64={base64} />
      <Button size="sm" onClick={download}>
        <Download /> {text.download}
      </Button>
    </div>
  );
}
