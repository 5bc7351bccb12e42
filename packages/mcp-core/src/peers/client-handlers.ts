import type { JsonRpcDispatcher } from '../jsonrpc/dispatcher.js';
import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { HandlerContext } from '../jsonrpc/handler-context.js';
import type { Params } from '../jsonrpc/messages.js';
import type { MaybePromise } from '../ports/session-store.js';
import type { ClientCapabilities } from '../protocol/types.js';

/** A place of the client's file system, or the like, that a server may work in (schema: Root). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
}

/**
 * Answers a question of the server with the result the protocol has for it. A thrown `MCPError` is the answer;
 * `context.signal` is aborted when the server takes the question back.
 */
export type QuestionHandler = (params: Params, context: HandlerContext) => MaybePromise<object>;

/** What the client can be asked. Each is declared as a capability exactly when it is given. */
export interface QuestionHandlers {
  /** `elicitation/create` with a form. */
  readonly elicitation?: QuestionHandler;
  /** `elicitation/create` that sends the user to a URL (2025-11-25). */
  readonly urlElicitation?: QuestionHandler;
  /** `sampling/createMessage`. */
  readonly sampling?: QuestionHandler;
  /** What `sampling` understands beside messages: tools, and context of other servers. */
  readonly samplingOffers?: { readonly tools?: true; readonly context?: true };
  /** `roots/list`; a list, or what makes one. */
  readonly roots?: readonly Root[] | (() => MaybePromise<readonly Root[]>);
}

/** What the handlers amount to, as `initialize` declares it. */
export function declaredCapabilities(handlers: QuestionHandlers): ClientCapabilities {
  const { elicitation, urlElicitation, sampling, samplingOffers = {}, roots } = handlers;
  const capabilities: ClientCapabilities = {};
  if (elicitation !== undefined || urlElicitation !== undefined) {
    // Without members it means forms, which is all that clients before 2025-11-25 could say.
    capabilities.elicitation =
      urlElicitation === undefined ? {} : { ...(elicitation === undefined ? {} : { form: {} }), url: {} };
  }
  if (sampling !== undefined) {
    const parts = Object.entries(samplingOffers).filter(([, offered]) => offered);
    capabilities.sampling = Object.fromEntries(parts.map(([part]) => [part, {}]));
  }
  if (roots !== undefined) capabilities.roots = { listChanged: true };
  return capabilities;
}

/** Lets the server ask what there are handlers for, and `ping`; anything else is -32601. */
export function registerHandlers(dispatcher: JsonRpcDispatcher, handlers: QuestionHandlers): void {
  const { elicitation, urlElicitation, sampling, roots } = handlers;
  dispatcher.registerHandler('ping', () => ({}));
  if (sampling !== undefined) dispatcher.registerHandler('sampling/createMessage', sampling);
  if (roots !== undefined) {
    dispatcher.registerHandler('roots/list', async () => ({
      roots: typeof roots === 'function' ? await roots() : roots,
    }));
  }
  if (elicitation === undefined && urlElicitation === undefined) return;
  dispatcher.registerHandler('elicitation/create', (params, context) => {
    const handler = params.mode === 'url' ? urlElicitation : elicitation;
    if (handler === undefined) throw undeclared(params.mode);
    return handler(params, context);
  });
}

function undeclared(mode: unknown): MCPError {
  return new MCPError(
    MCP_CODES.INVALID_PARAMS,
    `Invalid params: this client has not declared elicitation of mode ${mode === 'url' ? 'url' : 'form'}`,
  );
}
