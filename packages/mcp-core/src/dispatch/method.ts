import type { Handler, HandlerContext } from '../jsonrpc/handler-context.js';
import type { Params } from '../jsonrpc/messages.js';
import type { MethodName } from '../protocol/methods.js';
import { admit, type RequestContext } from './request-context.js';

export type Run = HandlerContext<RequestContext>;

/** One method of the protocol: pure over its params and its context. */
export interface Method {
  readonly name: MethodName;
  /** A value is sent at once, a promise when it settles; `MCPError` thrown is the answer. */
  answer(params: Params, run: Run): unknown;
  /** Rights and limits are asked by the method itself, once it knows what the request is about. */
  readonly admitsItself?: boolean;
}

/** A method as an entry of a dispatcher's table, with what all methods share before it. */
export function asHandler(method: Method): Handler<RequestContext> {
  if (method.admitsItself) {
    return (params, run) => {
      run.extra.begin(run);
      return method.answer(params, run);
    };
  }
  return (params, run) => {
    run.extra.begin(run);
    const waiting = admit(run, method.name, params, undefined);
    return waiting === undefined ? method.answer(params, run) : waiting.then(() => method.answer(params, run));
  };
}
