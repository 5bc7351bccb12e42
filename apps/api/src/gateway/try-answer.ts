import type { TryEventName } from '@gantry/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../common/errors/app-error.js';
import { asAppError, problemOf } from '../common/errors/problem.js';
import { type TryEnd, tryOutcome } from './try-outcome.js';
import type { TryEvents, TryOutlet } from './try-responder.js';
import type { PreparedTry } from './try-runs.js';

/**
 * Runs a try and answers its request: with one JSON body, or with a stream of events where that is accepted. Whoever
 * leaves before the end has cancelled the run. Throws the problem while nothing was answered yet.
 */
export async function answerTry<Answer>(
  prepared: PreparedTry<Answer>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.headers.accept?.includes('text/event-stream') === true) {
    reply.hijack();
    return streamTry(prepared, request, reply);
  }
  const { answer } = await new Promise<TryEnd<Answer>>((resolve, reject) => {
    const responder = prepared.start({ progress() {}, log() {}, answered: settle(prepared, resolve, reject) });
    whenGone(reply, () => responder.disconnect());
  });
  void reply.send(answer);
}

function streamTry<Answer>(prepared: PreparedTry<Answer>, request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  });
  raw.flushHeaders();
  const send = (event: TryEventName, data: unknown) => raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const end = (event: TryEventName, data: unknown) => {
    send(event, data);
    raw.end();
  };
  const events: TryEvents = {
    progress: ({ progress, total, message }) => send('progress', { progress, total, message }),
    log: (event) => send('log', event),
    answered: settle(
      prepared,
      ({ event, answer }) => end(event, answer),
      (error) => end('problem', problemOf(asAppError(error), request.id)),
    ),
  };
  const outlet: TryOutlet = {
    get queuedBytes() {
      return raw.writableLength;
    },
    cut: () => void raw.destroy(),
  };
  const responder = prepared.start(events, outlet);
  whenGone(reply, () => responder.disconnect());
}

/** Also for whoever left before there was anything to leave. */
function whenGone({ raw }: FastifyReply, leave: () => void): void {
  if (raw.destroyed) leave();
  else raw.once('close', leave);
}

function settle<Answer>(
  { kind }: PreparedTry<Answer>,
  resolve: (end: TryEnd<Answer>) => void,
  reject: (error: AppError) => void,
): TryEvents['answered'] {
  return (status, response) => {
    const outcome = tryOutcome(kind, status, response);
    if (outcome instanceof AppError) reject(outcome);
    else resolve(outcome);
  };
}
