'use client';
import { ExternalLink } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { t } from '@/strings';
import { ElicitActions } from './elicit-form';
import type { QuestionProps } from './question';

const text = t.questions.url;

/** A page the server wants visited: its host in plain sight, opened only by the person and never by us. */
export function ElicitUrl({ request, onAnswer }: QuestionProps) {
  const address = String(request.params?.url ?? '');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const opens = url?.protocol === 'https:' || url?.protocol === 'http:';
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ action: 'accept' });
      }}
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
        <dt className="text-muted">{text.host}</dt>
        <dd className="font-semibold">{url?.host || '–'}</dd>
        <dt className="text-muted">{text.address}</dt>
        <dd className="break-all font-mono text-xs leading-5">{address}</dd>
      </dl>
      <p className="text-muted text-xs">{opens ? text.hint : text.refused}</p>
      {opens && (
        <Button asChild className="self-start">
          <a href={url.href} target="_blank" rel="noopener noreferrer">
            <ExternalLink /> {text.open}
          </a>
        </Button>
      )}
      <ElicitActions onAnswer={onAnswer} />
    </form>
  );
}
