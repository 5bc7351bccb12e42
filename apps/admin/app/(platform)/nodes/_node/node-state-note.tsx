import type { GantryNode } from '@gantry/contracts';
import { t } from '@/strings';
import { whatIsLeft } from './node-model';

const text = t.nodes;

/** What a node that does not take part any more still carries, counted down, or what became of its sessions. */
export function NodeStateNote({ node }: { node: GantryNode }) {
  if (node.state === 'ready') return null;
  if (node.state === 'gone') return <p className="text-muted text-xs">{text.goneText}</p>;
  const { streams, inFlight } = whatIsLeft(node);
  return (
    <p className="text-warn text-xs tabular-nums" role="status">
      {streams + inFlight === 0 ? text.emptied : text.drainingText(text.left(streams, inFlight))}
    </p>
  );
}
