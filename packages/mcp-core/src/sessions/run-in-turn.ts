import type { StateHolder } from '../dispatch/request-context.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { SessionKey } from '../ports/session-store.js';
import type { SessionTurn, SessionTurns } from '../ports/session-turns.js';
import { notStored, stateText } from './state-text.js';

export interface TurnRequest {
  readonly turns: SessionTurns;
  readonly session: SessionKey;
  readonly signal: AbortSignal;
  /** How long to wait for the calls before this one. */
  readonly limitMs: number;
  /** Told when a turn could not be given back; it is free after its time. */
  readonly stuck: (error: unknown) => void;
}

const LOST = 'its turn was lost to another call';

/**
 * Runs a stateful job when its turn has come, with the session's state, and stores what it leaves.
 * @throws MCPError when there is no turn, or the state cannot be stored
 */
export async function runInTurn<T>(request: TurnRequest, job: (holder: StateHolder) => Promise<T>): Promise<T> {
  const turn = await turnFor(request);
  try {
    const holder: StateHolder = { state: JSON.parse(turn.state) as Record<string, unknown>, lost: turn.lost };
    const outcome = await job(holder);
    if (holder.state !== undefined) await store(turn, holder.state);
    return outcome;
  } catch (error) {
    throw turn.lost?.aborted ? notStored(LOST) : error;
  } finally {
    // Without effect once the state has been stored.
    turn.end().catch(request.stuck);
  }
}

async function turnFor({ turns, session, signal, limitMs }: TurnRequest): Promise<SessionTurn> {
  const turn = await turns.take(session, signal, limitMs);
  if (turn === 'aborted') throw new MCPError(MCP_CODES.REQUEST_CANCELLED, 'The request was cancelled');
  if (turn === 'ended') throw new MCPError(MCP_CODES.INTERNAL_ERROR, 'The session has ended');
  if (turn !== 'late') return turn;
  throw new MCPError(MCP_CODES.INTERNAL_ERROR, `Waited ${limitMs} ms for an earlier call of this session`);
}

async function store(turn: SessionTurn, state: unknown): Promise<void> {
  const text = stateText(state);
  if (await turn.end(text === turn.state ? undefined : text)) return;
  throw notStored(`the session has ended, or ${LOST}`);
}
