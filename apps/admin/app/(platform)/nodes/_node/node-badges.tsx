import type { GantryNode } from '@gantry/contracts';
import { Badge } from '@/components/ui/badge';
import { t } from '@/strings';
import { isSilent, nodeTone } from './node-model';

const text = t.nodes;

export function NodeBadges({ node, all }: { node: GantryNode; all: readonly GantryNode[] }) {
  return (
    <>
      <Badge tone={nodeTone(node)}>{text.states[node.state]}</Badge>
      {isSilent(node, all) && <Badge tone="warn">{text.silent}</Badge>}
      {node.answering && <Badge>{text.answering}</Badge>}
    </>
  );
}
