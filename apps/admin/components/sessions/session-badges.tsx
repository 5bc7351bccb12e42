import type { Era, SessionState } from '@gantry/contracts';
import { Badge } from '@/components/ui/badge';
import { t } from '@/strings';

const text = t.sessions;
const tones = { active: 'ok', idle: 'neutral', draining: 'warn' } as const;

/** Which way of speaking MCP it is, and on hover what that means for the reader. */
export function EraBadge({ era, revision }: { era: Era; revision?: string }) {
  return (
    <span title={`${text.eraHints[era]}${revision ? `\n${revision}` : ''}`}>
      <Badge tone={era === 'stateless' ? 'info' : 'neutral'} icon={false}>
        {text.eras[era]}
      </Badge>
    </span>
  );
}

export function StateBadge({ state }: { state: SessionState | 'ended' }) {
  if (state === 'ended') return <Badge tone="danger">{text.states.ended}</Badge>;
  return <Badge tone={tones[state]}>{text.states[state]}</Badge>;
}
