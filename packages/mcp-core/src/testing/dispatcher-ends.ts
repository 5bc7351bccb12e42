import {
  type DispatcherOptions,
  type Handler,
  type HandlerContext,
  JsonRpcDispatcher,
  type Params,
  type ProtocolFault,
  type Side,
} from '../jsonrpc/index.js';
import { FakeClock } from './fake-clock.js';
import { RecordingTransport } from './recording-transport.js';

type Overrides<E> = Partial<DispatcherOptions<E>>;

/** One dispatcher on a recording transport and a fake clock, with everything its listeners were told. */
function end<E>(side: Side, options: Overrides<E>) {
  const transport = new RecordingTransport();
  const clock = new FakeClock();
  const faults: ProtocolFault[] = [];
  const handlerErrors: unknown[] = [];
  const errors: Error[] = [];
  const listeners = {
    onProtocolError: (fault: ProtocolFault) => void faults.push(fault),
    onHandlerError: (error: unknown) => void handlerErrors.push(error),
    onError: (error: Error) => void errors.push(error),
    ...options.listeners,
  };
  const base = { side, dispatcherId: side, transport, clock };
  const dispatcher = new JsonRpcDispatcher<E>({ ...base, ...options, listeners });
  return { transport, clock, dispatcher, faults, handlerErrors, errors };
}

/** An end that is asked: `call` and `cancel` are what the other side would send. */
export function serverEnd<E = undefined>(options: Overrides<E> = {}) {
  const made = end('server', options);
  const call = (id: number | string, method: string, params?: Params) =>
    made.dispatcher.receive({ jsonrpc: '2.0', id, method, params });
  const cancel = (requestId: unknown, reason?: string) =>
    made.dispatcher.receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } });
  return { ...made, call, cancel };
}

/** An end that asks: `answer` and `progress` are what the other side would send. */
export function clientEnd(options: Overrides<undefined> = {}) {
  const made = end('client', options);
  const answer = (id: unknown, result: unknown = {}) => made.transport.deliver({ jsonrpc: '2.0', id, result });
  const progress = (progressToken: unknown, at: number) =>
    made.transport.deliver({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken, progress: at },
    });
  /** Methods of what was sent, in order. */
  const methods = () => made.transport.sent.map((message) => ('method' in message ? message.method : 'answer'));
  return { ...made, answer, progress, methods };
}

/** A handler that waits until `release`, whether or not it is aborted, and the contexts it was given. */
export function blockingHandler() {
  const contexts: HandlerContext[] = [];
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handler: Handler = async (_, ctx) => {
    contexts.push(ctx);
    await gate;
    return { done: ctx.id };
  };
  return { handler, contexts, release: () => release() };
}

/** What a promise rejects with, watched from the moment it is made; it rejects itself if the promise resolves. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => Promise.reject(new Error('expected a rejection, but it resolved')),
    (error) => error,
  );
}
