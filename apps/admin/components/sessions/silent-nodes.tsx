import { Callout } from '@/components/ui/callout';
import { t } from '@/strings';

const text = t.sessions;

/** Says which nodes gave no answer, and what that means for what is shown. */
export function SilentNodes({ nodes }: { nodes: readonly string[] }) {
  if (nodes.length === 0) return null;
  return (
    <Callout tone="warn" role="status" title={text.silentNodes(nodes.join(', '))}>
      {text.silentNodesText}
    </Callout>
  );
}
