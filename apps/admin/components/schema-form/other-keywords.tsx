import { t } from '@/strings';

const text = t.tools.schema;

/** Names the keywords that the form has no field for and keeps as they are. */
export function OtherKeywords({ names }: { names: string[] }) {
  return (
    <p className="text-muted text-xs">
      {text.also} <code>{names.join(', ')}</code>
    </p>
  );
}
