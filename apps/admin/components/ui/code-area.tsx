'use client';
import type { KeyboardEvent, TextareaHTMLAttributes } from 'react';
import { cn } from '@/components/cn';
import { Textarea } from '@/components/ui/input';

/** A plain monospace editor: Enter keeps the indent; Tab leaves the field, as everywhere else on the page. */
export function CodeArea({ className, onKeyDown, ...props }: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  function keepIndent(event: KeyboardEvent<HTMLTextAreaElement>) {
    onKeyDown?.(event);
    const area = event.currentTarget;
    if (
      event.defaultPrevented ||
      event.key !== 'Enter' ||
      event.ctrlKey ||
      event.metaKey ||
      event.nativeEvent.isComposing
    )
      return;
    const before = area.value.slice(0, area.selectionStart);
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const deeper = /[{[(]\s*$/.test(line) ? '  ' : '';
    if (!indent && !deeper) return;
    event.preventDefault();
    // setRangeText would not tell React; insertText also keeps the browser's own undo.
    document.execCommand('insertText', false, `\n${indent}${deeper}`);
  }
  return (
    <Textarea
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      wrap="off"
      className={cn('overflow-auto whitespace-pre font-mono text-[12.5px] leading-[19px]', className)}
      onKeyDown={keepIndent}
      {...props}
    />
  );
}
