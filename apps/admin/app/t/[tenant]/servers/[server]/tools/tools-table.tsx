'use client';
import type { ToolDocument } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { RowLink } from '@/components/table/row-link';
import { Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { CopyButton } from '@/components/ui/copy-button';
import { isObject } from '@/lib/json';
import { kindOf } from '@/lib/tool-document';
import { t } from '@/strings';

const text = t.tools.list;
export const toolColumns = ['name', 'kind', 'inputs', 'description'] as const;
export type ToolColumn = (typeof toolColumns)[number];

interface ToolsTableProps {
  /** Path of the server the tools belong to. */
  base: string;
  items: ToolDocument[];
  head?: (column: ToolColumn, label: string, align?: 'right') => ReactNode;
}

export function inputCount(tool: ToolDocument): number {
  return isObject(tool.inputSchema.properties) ? Object.keys(tool.inputSchema.properties).length : 0;
}

export function ToolsTable({ base, items, head }: ToolsTableProps) {
  const column = head ?? ((_column: ToolColumn, label: string, align?: 'right') => <Th align={align}>{label}</Th>);
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[720px]"
      head={
        <>
          {column('name', text.name)}
          {column('kind', text.kind)}
          {column('description', text.description)}
          {column('inputs', text.inputs, 'right')}
          <Th>{text.hints}</Th>
        </>
      }
    >
      {items.map((tool) => (
        <Tr key={tool.name}>
          <Td className="max-w-64 font-mono text-[12.5px] md:max-w-96">
            <span className="flex items-center gap-1">
              <RowLink href={`${base}/tools/${encodeURIComponent(tool.name)}`}>{tool.name}</RowLink>
              <CopyButton inRow text={tool.name} what={tool.name} />
            </span>
          </Td>
          <Td className="text-muted">{t.tools.kinds[kindOf(tool)][0]}</Td>
          <Td className="w-full max-w-0 truncate text-muted">
            {tool.description || <Badge tone="warn">{text.noDescription}</Badge>}
          </Td>
          <Td align="right">{inputCount(tool)}</Td>
          <Td>
            <span className="flex gap-1">
              {(Object.keys(t.tools.hints) as (keyof typeof t.tools.hints)[])
                .filter((hint) => tool.annotations?.[hint])
                .map((hint) => (
                  <Badge key={hint} tone={hint === 'destructiveHint' ? 'danger' : 'neutral'}>
                    {t.tools.hints[hint]}
                  </Badge>
                ))}
            </span>
          </Td>
        </Tr>
      ))}
    </Table>
  );
}
