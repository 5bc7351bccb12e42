'use client';
import type { PromptDocument } from '@gantry/contracts';
import { Plus, X } from 'lucide-react';
import { JsonEditor } from '@/components/schema-form/json-editor';
import { Button } from '@/components/ui/button';
import { Select, Textarea } from '@/components/ui/input';
import { isObject } from '@/lib/json';
import { t } from '@/strings';

const text = t.prompts.editor;
type Message = NonNullable<PromptDocument['messages']>[number];

/** Messages by role; text in a field, any other content block as JSON. */
export function MessageRows({ value, onChange }: { value: Message[]; onChange: (value: Message[]) => void }) {
  const put = (at: number, next: Message) => onChange(value.map((old, i) => (i === at ? next : old)));
  return (
    <div className="flex flex-col gap-3">
      {value.map((message, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message is known by its place alone
        <div key={at} className="flex flex-col gap-2 rounded-md border p-3">
          <div className="flex items-center justify-between gap-2">
            <Select
              className="w-32"
              aria-label={text.messageRole(at + 1)}
              value={message.role}
              onChange={(event) => put(at, { ...message, role: event.target.value as Message['role'] })}
            >
              <option value="user">{t.prompts.preview.roles.user}</option>
              <option value="assistant">{t.prompts.preview.roles.assistant}</option>
            </Select>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={text.removeMessage(at + 1)}
              onClick={() => onChange(value.filter((_row, i) => i !== at))}
            >
              <X />
            </Button>
          </div>
          {message.content.type === 'text' ? (
            <Textarea
              rows={3}
              aria-label={text.messageText(at + 1)}
              value={typeof message.content.text === 'string' ? message.content.text : ''}
              onChange={(event) => put(at, { ...message, content: { ...message.content, text: event.target.value } })}
            />
          ) : (
            <JsonEditor
              label={text.messageContent(at + 1)}
              rows={6}
              value={message.content}
              onChange={(content) => put(at, { ...message, content: content as Message['content'] })}
              refuse={(content) => (isObject(content) ? undefined : t.tools.schema.notObject)}
            />
          )}
        </div>
      ))}
      <Button
        size="sm"
        className="self-start"
        onClick={() => onChange([...value, { role: 'user', content: { type: 'text', text: '' } }])}
      >
        <Plus /> {text.addMessage}
      </Button>
    </div>
  );
}
