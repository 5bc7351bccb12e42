import type { GuestHost } from './host.js';
import type { GuestKit } from './kit.js';

interface Settlers {
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export type GuestCalls = ReturnType<typeof guestCalls>;

/** `ctx.signal`, and the promises that the host settles or the signal rejects. */
export function guestCalls(host: GuestHost, { named, parse, show, stringify }: GuestKit) {
  const pending = new Map<number, Settlers>();
  const questions = new Set<Settlers>();
  let calls = 0;
  let aborted = false;
  let abortReason: unknown;
  const listeners = new Set<unknown>();
  const signal = {
    get aborted() {
      return aborted;
    },
    get reason() {
      return abortReason;
    },
    onabort: null as unknown,
    addEventListener(type: string, listener: unknown) {
      if (type === 'abort') listeners.add(listener);
    },
    removeEventListener(_type: string, listener: unknown) {
      listeners.delete(listener);
    },
    throwIfAborted() {
      if (aborted) throw abortReason;
    },
  };
  const abort = (name: string, message: string) => {
    if (aborted) return;
    aborted = true;
    abortReason = named(name, message);
    for (const { reject } of [...pending.values(), ...questions]) reject(abortReason);
    pending.clear();
    questions.clear();
    const event = { type: 'abort', target: signal };
    for (const listener of [signal.onabort, ...listeners]) {
      try {
        if (typeof listener === 'function') listener.call(signal, event);
        else (listener as { handleEvent?(event: unknown): void } | null)?.handleEvent?.(event);
      } catch (error) {
        host.note('console', stringify(['error', show(error)]));
      }
    }
  };
  return {
    signal,
    abort,
    settle(call: number, ok: boolean, json: string) {
      const waiting = pending.get(call);
      pending.delete(call);
      if (ok) waiting?.resolve(parse(json));
      else waiting?.reject(new Error(parse(json)));
    },
    hostCall: (send: (call: number) => void) =>
      new Promise<unknown>((resolve, reject) => {
        if (aborted) return reject(abortReason);
        const call = ++calls;
        pending.set(call, { resolve, reject });
        send(call);
      }),
    /** Never settles but by the signal: the run ends and begins again when the question is answered. */
    question: () =>
      new Promise<unknown>((resolve, reject) => {
        if (aborted) return reject(abortReason);
        questions.add({ resolve, reject });
      }),
  };
}
