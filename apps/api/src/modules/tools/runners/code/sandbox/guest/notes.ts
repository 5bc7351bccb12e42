import type { GuestHost } from './host.js';
import type { GuestKit } from './kit.js';

/** Makes the members of `ctx` that tell something and wait for nothing. */
export function guestNotes(host: GuestHost, { isNumber, isObject, need, stringify }: GuestKit) {
  const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
  const lists = ['tools', 'prompts', 'resources'];
  return {
    progress(done: unknown, total?: unknown, message?: unknown) {
      need(isNumber(done), 'ctx.progress(done, total?, message?): done must be a number');
      need(total === undefined || total === null || isNumber(total), 'ctx.progress: total must be a number');
      const text = message === undefined || message === null ? null : String(message);
      host.note('progress', stringify([done, total ?? null, text]));
    },
    log(level: string, data: unknown, logger?: unknown) {
      need(levels.includes(level), `ctx.log(level, data, logger?): level must be one of ${levels.join(', ')}`);
      host.note('log', stringify([level, data ?? null, logger === undefined ? null : String(logger)]));
    },
    resourceUpdated(uri: unknown) {
      need(typeof uri === 'string', 'ctx.resourceUpdated(uri): uri must be a string');
      host.note('resourceUpdated', stringify(uri));
    },
    listChanged(kind: string) {
      need(lists.includes(kind), `ctx.listChanged(kind): kind must be one of ${lists.join(', ')}`);
      host.note('listChanged', stringify(kind));
    },
    closeStream(options: unknown = {}) {
      need(isObject(options), 'ctx.closeStream({retryMs?}): it takes an object');
      const { retryMs } = options as { retryMs?: unknown };
      const valid = retryMs === undefined || (Number.isSafeInteger(retryMs) && (retryMs as number) >= 0);
      need(valid, 'ctx.closeStream({retryMs?}): retryMs must be a whole number of milliseconds, 0 or more');
      host.note('closeStream', stringify(retryMs ?? null));
    },
  };
}
