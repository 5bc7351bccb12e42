import type { SessionEnded } from '@gantry/contracts';
import { Callout } from '@/components/ui/callout';
import { t } from '@/strings';

const text = t.sessions.detail;

export type Ended = SessionEnded;

/** What the nodes have said to the end of a session, and which have said nothing. */
export function EndResult({ result, stateless }: { result: Ended; stateless: boolean }) {
  const { nodes, silentNodes } = result;
  return (
    <>
      <Callout tone="ok" role="status" title={stateless ? text.endOpen.done : text.endOne.done}>
        {nodes.length === 0 ? (
          <p>{text.nothingHeld}</p>
        ) : (
          <ul>
            {nodes.map(({ node, calls, streams }) => (
              <li key={node}>{text.confirmedBy(node, calls, streams)}</li>
            ))}
          </ul>
        )}
      </Callout>
      {silentNodes.length > 0 && (
        <Callout tone="warn" role="status" title={text.unanswered(silentNodes.join(', '))}>
          {stateless ? text.endOpen.unanswered : text.endOne.unanswered}
        </Callout>
      )}
    </>
  );
}
