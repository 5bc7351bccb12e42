import type { PlaygroundToken } from '@gantry/contracts';

/** A token with less left than this is renewed before it is used. */
export const renewBeforeMs = 120_000;

/**
 * Gives a token that holds for a while yet, renewing it when its end is near. Several who ask at once share one
 * renewal; a failed one is told to all of them and tried again by the next.
 */
export function createTokenSource(first: PlaygroundToken, renew: () => Promise<PlaygroundToken>, now = Date.now) {
  let current = first;
  let renewal: Promise<PlaygroundToken> | undefined;
  return async (): Promise<string> => {
    if (Date.parse(current.expiresAt) - now() > renewBeforeMs) return current.token;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    current = await renewal;
    return current.token;
  };
}
