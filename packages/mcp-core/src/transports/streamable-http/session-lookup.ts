import { MCP_CODES } from '../../jsonrpc/errors.js';
import type { RequestId } from '../../jsonrpc/messages.js';
import type { LiveSession } from '../../sessions/live-session.js';
import { legacyRevision } from '../../wire/revisions.js';
import type { HttpResponder } from '../http-exchange.js';
import { answerError } from './answers.js';

/**
 * The last rows of the session ladder, the same for every verb: the session lives (404; a foreign one answers as one
 * that never was), and a version header, if sent, names a revision with sessions (400).
 */
export function findSession(
  responder: HttpResponder,
  session: LiveSession | undefined,
  versionHeader: string | undefined,
  id?: RequestId,
): LiveSession | undefined {
  if (session === undefined) {
    const message = 'Session not found: it is unknown or has ended; start over with initialize';
    answerError(responder, 404, { code: MCP_CODES.INVALID_REQUEST, message }, id);
    return undefined;
  }
  if (versionHeader !== undefined && legacyRevision(versionHeader) === undefined) {
    answerError(responder, 400, { code: MCP_CODES.INVALID_REQUEST, message: unsupportedVersion(versionHeader) }, id);
    return undefined;
  }
  return session;
}

export function unsupportedVersion(version: string): string {
  return `Invalid request: MCP-Protocol-Version ${JSON.stringify(version.slice(0, 64))} is not supported`;
}
