import { isObject } from '@/lib/json';

/** One question of a server to its client, as `inputRequests` and live requests carry it alike. */
export interface InputRequest {
  method: string;
  params?: Record<string, unknown>;
}

/** The questions of one round, by key, and what has to be sent back with the answers. */
export interface Asked {
  inputRequests: Record<string, InputRequest>;
  requestState?: string;
}

/** Bare results by the key of their question. */
export type InputResponses = Record<string, Record<string, unknown>>;

export const elicit = 'elicitation/create';
export const sample = 'sampling/createMessage';
export const listRoots = 'roots/list';

/** The questions inside an answer; undefined when it is a result that asks nothing. */
export function askedOf(answer: unknown): Asked | undefined {
  return isObject(answer) && isObject(answer.inputRequests) ? (answer as unknown as Asked) : undefined;
}
