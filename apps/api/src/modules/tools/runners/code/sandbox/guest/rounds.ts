import type { GuestCalls } from './calls.js';
import type { GuestHost } from './host.js';
import type { GuestKit } from './kit.js';

/** `RoundInputs` as JSON. */
interface Inputs {
  readonly answers?: Record<string, { result?: unknown; error?: { code: number; message: string } }>;
  readonly responses?: Record<string, unknown>;
  readonly requestState?: unknown;
  readonly kept?: Record<string, unknown>;
}

/** Questions of the run's own choosing, given back as the function's result. */
interface Asking {
  readonly requestsJson: string;
  readonly stateJson: string | undefined;
  /** Nothing is asked: the function wants to go on as a job, from the top. */
  readonly detaches?: boolean;
}

export type GuestRounds = ReturnType<typeof guestRounds>;

/** Makes the members of `ctx` for functions that ask and begin again from the top. */
export function guestRounds(host: GuestHost, kit: GuestKit, { question }: GuestCalls) {
  const { isObject, jsonOf, named, need, parse, stringify } = kit;
  const asked = new Map<string, string>();
  const waiting = new Map<string, Promise<unknown>>();
  const begun = new Map<string, Promise<unknown>>();
  const askings = new WeakMap<object, Asking>();
  const askingOf = WeakMap.prototype.get.bind(askings) as (value: unknown) => Asking | undefined;
  const shown = (key: unknown) => (typeof key === 'string' ? stringify(key) : String(key));

  const members = ({ answers = {}, responses, requestState, kept = {} }: Inputs, detachable: boolean) => {
    const answerOf = new Map(Object.entries(answers));
    const keptOf = new Map(Object.entries(kept));

    const ask = async (member: string, key: string, method: string, params?: unknown) => {
      const call = `ctx.${member}(${shown(key)})`;
      const json = jsonOf(params === undefined ? { method } : { method, params });
      const fault = host.fault(key, json);
      need(fault === undefined, `${call}: ${fault}`);
      const before = asked.get(key);
      need(before === undefined || before === json, `${call}: another question of this run has the same key`);
      asked.set(key, json);
      const answer = answerOf.get(key);
      if (answer?.error) throw Object.assign(named('InputError', answer.error.message), { code: answer.error.code });
      if (answer) return answer.result;
      let promise = waiting.get(key);
      if (!promise) {
        const refused = host.ask(key, json);
        need(refused === undefined, `${call}: ${refused}`);
        promise = question();
        waiting.set(key, promise);
      }
      return promise;
    };

    const keep = async (key: string, fn: () => unknown) => {
      const value = await fn();
      let json: string;
      try {
        json = jsonOf(value === undefined ? null : value);
      } catch (error) {
        throw new TypeError(`ctx.once(${shown(key)}): its result cannot be kept as JSON: ${kit.show(error)}`);
      }
      const fault = host.keep(key, json);
      need(fault === undefined, `ctx.once(${shown(key)}): ${fault}`);
      // What the next round will find, so that both rounds see the same.
      return parse(json);
    };

    return {
      responses,
      requestState,
      elicit: (key: string, params: unknown) => ask('elicit', key, 'elicitation/create', params ?? null),
      sample: (key: string, params: unknown) => ask('sample', key, 'sampling/createMessage', params ?? null),
      roots: (key: string) => ask('roots', key, 'roots/list'),
      async once(key: string, fn: () => unknown) {
        const fault = host.fault(key);
        need(fault === undefined, `ctx.once(${shown(key)}): ${fault}`);
        need(typeof fn === 'function', 'ctx.once(key, fn): fn must be a function');
        if (keptOf.has(key)) return keptOf.get(key);
        let running = begun.get(key);
        if (!running) {
          running = keep(key, fn);
          begun.set(key, running);
          // An error is not kept, in this round either.
          running.catch(() => begun.delete(key));
        }
        return running;
      },
      needInput(requests: unknown, state?: unknown) {
        need(isObject(requests), 'ctx.needInput({key: {method, params}}, state?): it takes an object of questions');
        for (const [key, request] of Object.entries(requests as object)) {
          const fault = host.fault(key, stringify(request) ?? '');
          need(fault === undefined, `ctx.needInput: ${shown(key)}: ${fault}`);
        }
        const asking = Object.freeze({});
        askings.set(asking, {
          requestsJson: stringify(requests),
          stateJson: state === undefined ? undefined : jsonOf(state),
        });
        return asking;
      },
      async detach(fn: () => unknown) {
        need(typeof fn === 'function', 'ctx.detach(fn): fn must be a function');
        if (!detachable) return fn();
        const asking = Object.freeze({});
        askings.set(asking, { requestsJson: '{}', stateJson: undefined, detaches: true });
        return asking;
      },
    };
  };
  return { members, askingOf };
}
