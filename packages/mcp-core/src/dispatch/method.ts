import { MCP_CODES, MCPError } from '../jsonrpc/errors.js';
import type { Handler, HandlerContext } from '../jsonrpc/handler-context.js';
import type { Params } from '../jsonrpc/messages.js';
import type { MethodName } from '../protocol/methods.js';
import { type Capability, offers } from './capabilities.js';
import { admit, type RequestContext } from './request-context.js';

export type Run = HandlerContext<RequestContext>;

/** One method of the protocol: pure over its params and its context. */
export interface Method {
  readonly name: MethodName;
  /** A value is sent at once, a promise when it settles; `MCPError` thrown is the answer. */
  answer(params: Params, run: Run): unknown;
  /** Served only where the server offers it; elsewhere the method does not exist. */
  readonly needs?: Capability;
  /** Rights and limits are asked by the method itself, once it knows what the request is about. */
  readonly admitsItself?: boolean;
}

/** A method as an entry of a dispatcher's table, with what all methods share before it. */
export function asHandler(method: Method): Handler<RequestContext> {
  const { name, needs } = method;
  const begin = (run: Run) => {
    run.extra.begin(run);
    if (needs !== undefined && !offers(run.extra.host, needs)) refuseUnoffered(name, run.extra);
  };
  if (method.admitsItself) {
    return (params, run) => {
      begin(run);
      return method.answer(params, run);
    };
  }
  return (params, run) => {
    begin(run);
    const waiting = admit(run, name, params, undefined);
    return waiting === undefined ? method.answer(params, run) : waiting.then(() => method.answer(params, run));
  };
}

/** Answered as a method that is not in the table, since to this server's clients it is none. */
function refuseUnoffered(method: string, context: RequestContext): never {
  if (context.revision.era === 'stateless') context.refuseWith(404);
  throw new MCPError(MCP_CODES.METHOD_NOT_FOUND, `Method not found: ${method}`);
}
