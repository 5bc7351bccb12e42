import type { ApiKey, Session } from '@gantry/contracts';
import { t } from '@/strings';

/** How a client calls itself. */
export const clientName = ({ client }: Pick<Session, 'client'>) => client.name ?? t.sessions.unknownClient;

/** The caller in words: keys by their name where the reader may see keys, else by the end of their id. */
export function callerName(principal: string, keys: readonly Pick<ApiKey, 'id' | 'name'>[] = []): string {
  const [kind, id] = principal.split(':');
  if (id === undefined) return principal;
  const name = kind === 'key' ? keys.find((key) => key.id === id)?.name : undefined;
  return name ?? `${kind} …${id.slice(-8)}`;
}
