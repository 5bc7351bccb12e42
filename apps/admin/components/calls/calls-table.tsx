'use client';
import type { Call } from '@gantry/contracts';
import Link from 'next/link';
import { TimeAgo } from '@/components/page/time-ago';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { formatDuration } from '@/lib/format';
import { t } from '@/strings';

const text = t.access.calls;
const tones = { ok: 'ok', tool_error: 'warn', error: 'danger', cancelled: 'neutral', refused: 'danger' } as const;

export function CallsTable({ tenant, items }: { tenant: string; items: Call[] }) {
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[820px]"
      head={
        <>
          <Th>{text.when}</Th>
          <Th>{text.status}</Th>
          <Th>{text.what}</Th>
          <Th>{text.server}</Th>
          <Th>{text.client}</Th>
          <Th>{text.source}</Th>
          <Th align="right">{text.duration}</Th>
        </>
      }
    >
      {items.map((call) => (
        <Tr key={call.id}>
          <Td className="text-muted">
            <TimeAgo at={call.at} />
          </Td>
          <Td>
            {call.jobId ? (
              <Link href={`/t/${tenant}/jobs/${call.jobId}`} title={text.ofJob}>
                <Badge tone={tones[call.status]}>{text.statuses[call.status]}</Badge>
              </Link>
            ) : (
              <Badge tone={tones[call.status]}>{text.statuses[call.status]}</Badge>
            )}
          </Td>
          <Td className="font-mono text-xs">
            {call.tool ? (
              <Link
                className="hover:text-accent-text hover:underline"
                href={`/t/${tenant}/servers/${call.server}/tools/${encodeURIComponent(call.tool)}`}
              >
                {call.tool}
              </Link>
            ) : (
              call.method
            )}
          </Td>
          <Td className="font-mono text-xs">
            <Link
              className="text-muted hover:text-accent-text hover:underline"
              href={`/t/${tenant}/servers/${call.server}`}
            >
              {call.server}
            </Link>
          </Td>
          <Td className="max-w-56 truncate text-muted">{call.client ?? call.principal}</Td>
          <Td className="text-muted">
            {text.sources[call.source]} · {text.eras[call.era]}
          </Td>
          <Td align="right" className="font-mono text-xs">
            {formatDuration(call.durationMs)}
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
