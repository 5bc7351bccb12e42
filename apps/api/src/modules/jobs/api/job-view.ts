import type { Job, JobAttempt, JobDetail } from '@gantry/contracts';
import type { ListedJob } from '../store/job-queries.repository.js';
import type { EndedRecord } from '../store/job-record.js';
import { masked } from './mask.js';

/**
 * A job as lists show it.
 * @param payloads whether whoever asks may see what a tenant's tools were told and said
 */
export function jobView(row: ListedJob, payloads: boolean): Job {
  const { client, sessionId } = row.caller;
  const label = client.version === undefined ? client.name : `${client.name} ${client.version}`;
  const time = (name: 'startedAt' | 'finishedAt' | 'expiresAt') =>
    row[name] === undefined ? {} : { [name]: (row[name] as Date).toISOString() };
  return {
    id: row.id,
    server: row.server,
    tool: row.tool,
    status: row.status,
    face: row.face,
    ...(payloads && row.statusMessage && { statusMessage: row.statusMessage }),
    ...(row.progress === undefined ? {} : { progress: row.progress }),
    ...(row.total === undefined ? {} : { total: row.total }),
    ...(row.place === undefined ? {} : { position: row.place }),
    attempts: row.attempts,
    repeatable: row.repeatable,
    createdAt: row.createdAt.toISOString(),
    ...time('startedAt'),
    ...time('finishedAt'),
    ...time('expiresAt'),
    ...(row.node && { node: row.node }),
    principal: row.principal,
    ...(client.name && { client: label }),
    revision: client.revision,
    ...(sessionId && { sessionId }),
    ...(payloads && row.error && { error: row.error }),
  };
}

/**
 * A job with what it was given and what came of it.
 * @param payloads whether whoever asks may see what a tenant's tools were told and said
 */
export function jobDetail(row: EndedRecord & { readonly attemptList: JobAttempt[] }, payloads: boolean): JobDetail {
  const questions = Object.entries(row.questions ?? {}).map(([key, { method, params }]) => {
    const message = (params as { message?: unknown } | undefined)?.message;
    return [key, { method, ...(payloads && typeof message === 'string' && { message }) }];
  });
  return {
    ...jobView(row, payloads),
    payloads: payloads ? 'shown' : 'withheld',
    ...(payloads && { arguments: masked(row.arguments) }),
    ...(payloads && row.end && { result: masked('outcome' in row.end ? row.end.outcome : row.end) }),
    attemptList: payloads ? row.attemptList : row.attemptList.map(({ error: _, ...attempt }) => attempt),
    ...(questions.length > 0 && { questions: Object.fromEntries(questions) }),
    ...(row.idempotencyKey && { idempotencyKey: row.idempotencyKey }),
  };
}
