'use client';
import type { ResourceDocument, ResourceTemplateDocument } from '@gantry/contracts';
import type { ReactNode } from 'react';
import { RowLink } from '@/components/table/row-link';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { resourceKindOf } from '@/lib/resource-document';
import { templateVariables } from '@/lib/uri-template';
import { t } from '@/strings';

const text = t.resources.list;

interface TableProps<D> {
  base: string;
  items: D[];
  viewed: string | null;
  onView: (uri: string | null) => void;
}

export function ResourcesTable({ base, items, viewed, onView }: TableProps<ResourceDocument>) {
  return (
    <Frame caption={text.resources.caption} uri={text.uri} last={text.mimeType}>
      {items.map((item) => (
        <Row
          key={item.uri}
          uri={item.uri}
          href={`${base}/${encodeURIComponent(item.uri)}`}
          item={item}
          viewed={viewed === item.uri}
          onView={onView}
          last={item.mimeType ?? text.noMimeType}
        />
      ))}
    </Frame>
  );
}

export function TemplatesTable({ base, items, viewed, onView }: TableProps<ResourceTemplateDocument>) {
  return (
    <Frame caption={text.templates.caption} uri={text.uriTemplate} last={text.variables}>
      {items.map((item) => (
        <Row
          key={item.uriTemplate}
          uri={item.uriTemplate}
          href={`${base}/templates/${encodeURIComponent(item.uriTemplate)}`}
          item={item}
          viewed={viewed === item.uriTemplate}
          onView={onView}
          last={templateVariables(item.uriTemplate).join(', ')}
        />
      ))}
    </Frame>
  );
}

function Frame({ caption, uri, last, children }: { caption: string; uri: string; last: string; children: ReactNode }) {
  return (
    <Table
      caption={caption}
      minWidth="min-w-[640px]"
      head={
        <>
          <Th>{uri}</Th>
          <Th>{text.name}</Th>
          <Th>{text.description}</Th>
          <Th>{last}</Th>
          <Th>{text.kind}</Th>
          <ActionTh>{text.preview}</ActionTh>
        </>
      }
    >
      {children}
    </Table>
  );
}

interface RowProps {
  uri: string;
  href: string;
  item: ResourceDocument | ResourceTemplateDocument;
  viewed: boolean;
  onView: (uri: string | null) => void;
  last: string;
}

function Row({ uri, href, item, viewed, onView, last }: RowProps) {
  return (
    <Tr>
      <Td className="max-w-64 font-mono md:max-w-80 text-[12.5px]">
        <span className="flex min-w-0 items-center gap-1">
          <RowLink href={href}>{uri}</RowLink>
          <CopyButton inRow text={uri} what={uri} />
        </span>
      </Td>
      <Td className="max-w-44 truncate">{item.title ?? item.name}</Td>
      <Td className="w-full max-w-0 truncate text-muted">{item.description}</Td>
      <Td className="max-w-40 truncate font-mono text-muted text-xs">{last}</Td>
      <Td className="text-muted">{t.resources.kinds[resourceKindOf(item)][0]}</Td>
      <ActionTd>
        <Button
          size="sm"
          variant="ghost"
          aria-label={text.previewOf(uri)}
          aria-pressed={viewed}
          onClick={() => onView(viewed ? null : uri)}
        >
          {text.preview}
        </Button>
      </ActionTd>
    </Tr>
  );
}
