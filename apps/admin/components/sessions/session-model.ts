import type { ApiKey, Session } from '@gantry/contracts';
import { t } from '@/strings';

/** How a client calls itself. */
export const clientName = ({ client }: Pick<Session, 'client'>) => client.name ?? t.sessions.unknownClient;

/** The caller in words: keys by their name where the reader may see keys. */
export function callerName(principal: string, keys: readonly Pick<ApiKey, 'id' | 'name'>[] = []): string {
  const id = principal.startsWith('key:') ? principal.slice(4) : undefined;
  return keys.find((key) => key.id === id)?.name ?? principal;
}
