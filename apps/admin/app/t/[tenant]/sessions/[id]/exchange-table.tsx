'use client';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cn } from '@/components/cn';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import type { Exchange } from '@/data/sessions/exchanges';
import { formatBytes, formatDuration } from '@/lib/format';
import { t } from '@/strings';

const text = t.sessions.messages;
const pageRows = 50;
const tones = { open: 'info', ok: 'ok', error: 'danger', sent: 'neutral' } as const;
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

interface ExchangeTableProps {
  items: readonly Exchange[];
  selected: string | null;
  onSelect: (id: string | null) => void;
}

/** The same as the drawing, in words; the newest first. */
export function ExchangeTable({ items, selected, onSelect }: ExchangeTableProps) {
  const [limit, setLimit] = useState(pageRows);
  const rows = items.slice(-limit).reverse();
  const chosenAt = items.length - items.findIndex(({ id }) => id === selected);
  useEffect(() => {
    if (selected === null || chosenAt > items.length) return;
    if (chosenAt > limit) setLimit(chosenAt);
    else document.getElementById(`message-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected, chosenAt, limit, items.length]);
  return (
    <>
      <Table
        caption={text.caption}
        minWidth="min-w-[760px]"
        head={
          <>
            <Th>{text.at}</Th>
            <Th>{text.lane}</Th>
            <Th>{text.what}</Th>
            <Th>{text.answer}</Th>
            <Th align="right">{text.duration}</Th>
            <Th align="right">{text.size}</Th>
            <Th>{text.node}</Th>
          </>
        }
      >
        {rows.map((item) => (
          <ExchangeRow
            key={item.id}
            item={item}
            selected={item.id === selected}
            onSelect={() => onSelect(item.id === selected ? null : item.id)}
          />
        ))}
      </Table>
      {items.length > limit && (
        <Button className="self-center" onClick={() => setLimit(limit + pageRows)}>
          {t.common.loadMore}
        </Button>
      )}
    </>
  );
}

function ExchangeRow({ item, selected, onSelect }: { item: Exchange; selected: boolean; onSelect: () => void }) {
  const fromClient = item.direction === 'client';
  const Arrow = fromClient ? ArrowUpRight : ArrowDownLeft;
  const timed = item.to !== undefined && item.outcome !== 'sent';
  return (
    <Tr className={cn(selected && 'bg-accent-soft hover:bg-accent-soft')}>
      <Td className="whitespace-nowrap">
        <button
          type="button"
          id={`message-${item.id}`}
          aria-pressed={selected}
          className="h-6 scroll-my-24 font-mono text-xs hover:text-accent-text hover:underline"
          onClick={onSelect}
        >
          <time dateTime={new Date(item.from).toISOString()} title={new Date(item.from).toISOString()}>
            {clock.format(item.from)}
          </time>
        </button>
      </Td>
      <Td className="whitespace-nowrap text-muted text-xs">
        {item.lane !== 'streams' && (
          <>
            <Arrow className={cn('mr-1 inline size-3.5', fromClient ? 'text-accent-text' : 'text-ok')} aria-hidden />
            {fromClient ? text.fromClient : text.fromServer}
          </>
        )}
      </Td>
      <Td className="max-w-72 truncate text-xs">
        {item.method ? <code>{item.method}</code> : text.stream}
        {item.name && <code className="text-muted"> {item.name}</code>}
        {item.requestId !== undefined && <code className="text-muted"> #{item.requestId}</code>}
      </Td>
      <Td>
        <Badge tone={tones[item.outcome]}>
          {item.lane === 'streams'
            ? text.streamOutcomes[item.to === undefined ? 'open' : 'ok']
            : text.outcomes[item.outcome]}
        </Badge>
      </Td>
      <Td align="right" className="font-mono text-xs">
        {timed ? formatDuration(item.to! - item.from) : ''}
      </Td>
      <Td align="right" className="whitespace-nowrap font-mono text-muted text-xs">
        {item.lane === 'streams' ? '' : formatBytes(item.bytes)}
        {item.answerBytes !== undefined && ` → ${formatBytes(item.answerBytes)}`}
      </Td>
      <Td className="font-mono text-muted text-xs">{item.node}</Td>
    </Tr>
  );
}
