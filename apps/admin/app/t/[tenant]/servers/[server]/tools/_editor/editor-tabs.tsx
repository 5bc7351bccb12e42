'use client';
import type { RunnerKind } from '@gantry/contracts';
import { cn } from '@/components/cn';
import { t } from '@/strings';
import { type TabName, tabsOf } from './tabs';

const text = t.tools.editor;

interface EditorTabsProps {
  kind: RunnerKind;
  current: TabName;
  onSelect: (tab: TabName) => void;
  /** Tabs with something to mend. */
  errors: TabName[];
}

/** Links, as each tab has its own address; on wide screens the try-it is always in sight and needs none. */
export function EditorTabs({ kind, current, onSelect, errors }: EditorTabsProps) {
  return (
    <nav aria-label={t.editor.sections} className="flex gap-1 overflow-x-auto">
      {tabsOf(kind).map((tab) => (
        <a
          key={tab}
          href={`?tab=${tab}`}
          aria-current={current === tab ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            onSelect(tab);
          }}
          className={cn(
            'flex h-7 shrink-0 items-center gap-1.5 rounded-md px-2.5 text-sm transition-colors duration-75',
            current === tab ? 'bg-hover font-medium text-text' : 'text-muted hover:bg-hover hover:text-text',
            tab === 'try' && 'xl:hidden',
            tab === 'definition' && current === 'try' && 'xl:bg-hover xl:font-medium xl:text-text',
          )}
        >
          {text.tab[tab]}
          {errors.includes(tab) && <span className="font-semibold text-danger">!</span>}
        </a>
      ))}
    </nav>
  );
}
