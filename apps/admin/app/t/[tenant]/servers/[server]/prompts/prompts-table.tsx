'use client';
import type { PromptDocument } from '@gantry/contracts';
import { RowLink } from '@/components/table/row-link';
import { ActionTd, ActionTh, Table, Td, Th, Tr } from '@/components/table/table';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { promptKindOf } from '@/lib/prompt-document';
import { t } from '@/strings';

const text = t.prompts.list;

interface PromptsTableProps {
  base: string;
  items: PromptDocument[];
  viewed: string | undefined;
  onView: (name: string | null) => void;
}

export function PromptsTable({ base, items, viewed, onView }: PromptsTableProps) {
  return (
    <Table
      caption={text.caption}
      minWidth="min-w-[640px]"
      head={
        <>
          <Th>{text.name}</Th>
          <Th>{text.titleColumn}</Th>
          <Th>{text.description}</Th>
          <Th>{text.arguments}</Th>
          <Th>{text.kind}</Th>
          <ActionTh>{text.preview}</ActionTh>
        </>
      }
    >
      {items.map((prompt) => (
        <Tr key={prompt.name}>
          <Td className="max-w-64 font-mono text-[12.5px] md:max-w-80">
            <span className="flex items-center gap-1">
              <RowLink href={`${base}/${encodeURIComponent(prompt.name)}`}>{prompt.name}</RowLink>
              <CopyButton inRow text={prompt.name} what={prompt.name} />
            </span>
          </Td>
          <Td className="max-w-32 truncate">{prompt.title}</Td>
          <Td className="w-full max-w-0 truncate text-muted">
            {prompt.description || <Badge tone="warn">{text.noDescription}</Badge>}
          </Td>
          <Td className="max-w-56 truncate font-mono text-muted text-xs">
            {prompt.arguments?.length
              ? prompt.arguments.map((argument) => argument.name + (argument.required ? '*' : '')).join(', ')
              : text.noArguments}
          </Td>
          <Td className="text-muted">{t.prompts.kinds[promptKindOf(prompt)][0]}</Td>
          <ActionTd>
            <Button
              size="sm"
              variant="ghost"
              aria-label={text.previewOf(prompt.name)}
              aria-pressed={viewed === prompt.name}
              onClick={() => onView(viewed === prompt.name ? null : prompt.name)}
            >
              {text.preview}
            </Button>
          </ActionTd>
        </Tr>
      ))}
    </Table>
  );
}
