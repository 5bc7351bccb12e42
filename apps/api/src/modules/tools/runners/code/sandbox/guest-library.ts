/*
 * The part of the runner that lives inside the sandbox: it builds `ctx` and hands the end of the call to the host.
 * The function is sent as text into each instance before any tenant code, so it may use nothing but its arguments and
 * the language itself, and it is compiled for the engine there. A tenant can only ever break its own call with it:
 * everything that leaves it is text which the host judges again.
 */

/** The host functions given to the library; each takes and gives only strings, numbers and bytes. */
export interface GuestHost {
  note(kind: string, json: string): void;
  request(call: number, json: string): void;
  sleep(call: number, ms: number): void;
  end(json: string, resultJson: string | undefined, stateJson: string | undefined): void;
  random(): number;
  utf8(text: string): Uint8Array;
  text(bytes: Uint8Array): string;
  base64(bytes: Uint8Array): string;
  bytes(base64: string): Uint8Array;
}

/** What the host calls: start the tool, settle a host call, abort the signal. */
export type GuestEntry = [
  start: (module: Promise<{ default?: unknown }>, argumentsJson: string, contextJson: string) => void,
  settle: (call: number, ok: boolean, json: string) => void,
  abort: (name: string, message: string) => void,
];

export function guestLibrary(host: GuestHost): GuestEntry {
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const protocolErrors = new WeakSet<object>();
  const isProtocolError = WeakSet.prototype.has.bind(protocolErrors);
  const pending = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>();
  let calls = 0;

  const named = (name: string, message: string) => Object.assign(new Error(message), { name });
  const need = (valid: boolean, what: string) => {
    if (!valid) throw new TypeError(what);
  };
  const toBytes = (value: unknown): Uint8Array | undefined => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value))
      return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
    return undefined;
  };
  const toBase64 = (value: unknown, what: string): string => {
    if (typeof value === 'string') return value;
    const bytes = toBytes(value);
    need(bytes !== undefined, `${what} must be bytes or a base64 string`);
    return host.base64(bytes as Uint8Array);
  };
  /** Text of any value, for console lines and thrown values that are no errors. */
  const show = (value: unknown): string => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    try {
      return (typeof value === 'object' && value !== null ? stringify(value) : undefined) ?? String(value);
    } catch {
      return Object.prototype.toString.call(value);
    }
  };

  Math.random = () => host.random();
  class TextEncoder {
    readonly encoding = 'utf-8';
    encode(text = '') {
      return host.utf8(String(text));
    }
  }
  class TextDecoder {
    readonly encoding = 'utf-8';
    decode(value?: unknown) {
      return value === undefined ? '' : host.text(toBytes(value) ?? new Uint8Array());
    }
  }
  const levelOf: Record<string, string> = {
    debug: 'debug',
    log: 'info',
    info: 'info',
    warn: 'warning',
    error: 'error',
  };
  const console: Record<string, (...values: unknown[]) => void> = {};
  for (const name of Object.keys(levelOf)) {
    console[name] = (...values) => {
      let line = '';
      for (let i = 0; i < values.length; i++) line += (i ? ' ' : '') + show(values[i]);
      host.note('console', stringify([levelOf[name], line]));
    };
  }
  Object.assign(globalThis, { TextEncoder, TextDecoder, console });

  // ---- ctx.signal ----
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
    for (const { reject } of pending.values()) reject(abortReason);
    pending.clear();
    const event = { type: 'abort', target: signal };
    for (const listener of [signal.onabort, ...listeners]) {
      try {
        if (typeof listener === 'function') listener.call(signal, event);
        else (listener as { handleEvent?(event: unknown): void } | null)?.handleEvent?.(event);
      } catch (error) {
        console.error?.(error);
      }
    }
  };

  // ---- host calls ----
  const settle = (call: number, ok: boolean, json: string) => {
    const waiting = pending.get(call);
    pending.delete(call);
    if (ok) waiting?.resolve(parse(json));
    else waiting?.reject(new Error(parse(json)));
  };
  const hostCall = (send: (call: number) => void) =>
    new Promise<unknown>((resolve, reject) => {
      if (aborted) return reject(abortReason);
      const call = ++calls;
      pending.set(call, { resolve, reject });
      send(call);
    });

  // ---- ctx.fetch ----
  class Headers {
    #entries: [string, string][];
    constructor(entries: [string, string][]) {
      this.#entries = entries;
    }
    get(name: string) {
      const wanted = String(name).toLowerCase();
      const found = this.#entries.filter(([key]) => key === wanted).map(([, value]) => value);
      return found.length ? found.join(', ') : null;
    }
    has(name: string) {
      return this.get(name) !== null;
    }
    entries() {
      return this.#entries.map(([key, value]) => [key, value] as [string, string])[Symbol.iterator]();
    }
    keys() {
      return this.#entries.map(([key]) => key)[Symbol.iterator]();
    }
    values() {
      return this.#entries.map(([, value]) => value)[Symbol.iterator]();
    }
    forEach(each: (value: string, key: string) => void) {
      for (const [key, value] of this.#entries) each(value, key);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }
  interface Received {
    status: number;
    statusText: string;
    url: string;
    headers: [string, string][];
    text?: string;
    base64?: string;
  }
  class Response {
    readonly ok: boolean;
    readonly status: number;
    readonly statusText: string;
    readonly url: string;
    readonly headers: Headers;
    #body: Received;
    constructor(received: Received) {
      this.ok = received.status >= 200 && received.status < 300;
      this.status = received.status;
      this.statusText = received.statusText;
      this.url = received.url;
      this.headers = new Headers(received.headers);
      this.#body = received;
    }
    #bytes() {
      return this.#body.text === undefined ? host.bytes(this.#body.base64 ?? '') : host.utf8(this.#body.text);
    }
    async text() {
      return this.#body.text ?? host.text(this.#bytes());
    }
    async json() {
      return parse(await this.text());
    }
    async bytes() {
      return this.#bytes();
    }
    async arrayBuffer() {
      return this.#bytes().slice().buffer;
    }
  }
  interface FetchInit {
    method?: unknown;
    headers?: unknown;
    body?: unknown;
  }
  const headerList = (headers: unknown): [string, string][] => {
    if (headers === undefined || headers === null) return [];
    need(typeof headers === 'object', 'ctx.fetch: init.headers must be an object or a list of pairs');
    const pairs =
      Symbol.iterator in (headers as object) ? [...(headers as Iterable<unknown>)] : Object.entries(headers);
    return pairs.map((pair) => {
      need(isArray(pair) && pair.length === 2, 'ctx.fetch: each header must be a pair of name and value');
      return [String((pair as unknown[])[0]), String((pair as unknown[])[1])];
    });
  };
  const fetch = async (url: unknown, init: FetchInit = {}) => {
    need(typeof init === 'object' && init !== null, 'ctx.fetch: init must be an object');
    const { method = 'GET', body } = init;
    const request: Record<string, unknown> = {
      url: String(url),
      method: String(method),
      headers: headerList(init.headers),
    };
    if (typeof body === 'string') request.text = body;
    else if (body !== undefined && body !== null) {
      const bytes = toBytes(body);
      need(bytes !== undefined, 'ctx.fetch: init.body must be a string or bytes; use JSON.stringify for objects');
      request.base64 = host.base64(bytes as Uint8Array);
    }
    const received = await hostCall((call) => host.request(call, stringify(request)));
    return new Response(received as Received);
  };

  // ---- ctx ----
  const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
  const lists = ['tools', 'prompts', 'resources'];
  const number = (value: unknown) => typeof value === 'number' && value - value === 0;
  const content = {
    text: (text: unknown, more?: object) => ({ ...more, type: 'text', text: String(text) }),
    image: (data: unknown, mimeType = 'image/png', more?: object) => ({
      ...more,
      type: 'image',
      data: toBase64(data, 'ctx.content.image: data'),
      mimeType,
    }),
    audio: (data: unknown, mimeType = 'audio/wav', more?: object) => ({
      ...more,
      type: 'audio',
      data: toBase64(data, 'ctx.content.audio: data'),
      mimeType,
    }),
    resource(first: unknown, body?: unknown, mimeType?: string) {
      if (typeof first === 'object' && first !== null) return { type: 'resource', resource: first };
      const resource: Record<string, unknown> = { uri: String(first) };
      if (mimeType !== undefined) resource.mimeType = mimeType;
      if (typeof body === 'string') resource.text = body;
      else resource.blob = toBase64(body, 'ctx.content.resource: the body');
      return { type: 'resource', resource };
    },
    link: (first: unknown, name?: unknown, more?: object) =>
      typeof first === 'object' && first !== null
        ? { ...first, type: 'resource_link' }
        : { ...more, type: 'resource_link', uri: String(first), name: String(name ?? first) },
  };
  const makeContext = (given: Record<string, unknown>) => {
    const ctx: Record<string, unknown> = {
      client: given.client,
      principal: given.principal,
      state: given.state,
      signal,
      content,
      fetch,
      sleep(ms: unknown) {
        need(number(ms) && (ms as number) >= 0, 'ctx.sleep(ms): ms must be a number of milliseconds, 0 or more');
        return hostCall((call) => host.sleep(call, ms as number)).then(() => undefined);
      },
      progress(done: unknown, total?: unknown, message?: unknown) {
        need(number(done), 'ctx.progress(done, total?, message?): done must be a number');
        need(total === undefined || total === null || number(total), 'ctx.progress: total must be a number');
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
      error(code: unknown, message: unknown, data?: unknown) {
        need(Number.isSafeInteger(code), 'ctx.error(code, message, data?): code must be an integer');
        const error = Object.assign(new Error(String(message)), { name: 'ProtocolError', code, data });
        protocolErrors.add(error);
        return error;
      },
    };
    for (const name of ['elicit', 'sample', 'roots', 'once', 'needInput', 'detach', 'closeStream']) {
      ctx[name] = () => {
        throw new Error(`ctx.${name} is not served by this version`);
      };
    }
    return ctx;
  };

  // ---- the end of the call ----
  const lineOf = (error: unknown): number | undefined => {
    const found = /\btool\.js:(\d+)/.exec(String((error as { stack?: unknown }).stack));
    return found ? Number(found[1]) : undefined;
  };
  const describe = (error: unknown): Record<string, unknown> => {
    if (isProtocolError(error as object)) {
      const { code, message, data } = error as { code: number; message: unknown; data: unknown };
      return { how: 'protocol-error', code, message: String(message), dataJson: stringify(data) };
    }
    if (!(error instanceof Error)) return { how: 'threw', message: show(error) };
    return { how: 'threw', message: show(error), line: lineOf(error) };
  };
  const threw = (error: unknown): Record<string, unknown> => {
    try {
      return describe(error);
    } catch {
      return { how: 'threw', message: 'a value that cannot be shown' };
    }
  };
  const stateOf = (ctx: Record<string, unknown>): string => {
    const json = typeof ctx.state === 'object' && !isArray(ctx.state) && ctx.state !== null && stringify(ctx.state);
    if (json === false || json?.[0] !== '{')
      throw new TypeError('ctx.state must be a JSON object; the state before the call is kept');
    return json;
  };
  const resultOf = (value: unknown): string | undefined => {
    if (value === undefined) return undefined;
    const json = stringify(value);
    if (json === undefined) throw new TypeError(`a ${typeof value} is no JSON value`);
    return json;
  };
  const start: GuestEntry[0] = async (module, argumentsJson, contextJson) => {
    const given = parse(contextJson) as Record<string, unknown>;
    const ctx = makeContext(given);
    let end: Record<string, unknown>;
    let result: string | undefined;
    let state: string | undefined;
    try {
      const tool = (await module).default;
      need(typeof tool === 'function', 'the source must export a function: export default async (args, ctx) => …');
      const value = await (tool as (args: unknown, ctx: unknown) => unknown)(parse(argumentsJson), ctx);
      end = { how: 'returned' };
      try {
        result = resultOf(value);
      } catch (error) {
        end = { how: 'threw', message: `the result cannot be sent as JSON: ${show(error)}` };
      }
    } catch (error) {
      end = threw(error);
    }
    try {
      if (given.state !== undefined) state = stateOf(ctx);
    } catch (error) {
      end = { how: 'threw', message: `the state cannot be stored: ${show(error)}` };
    }
    host.end(stringify(end), result, state);
  };
  return [start, settle, abort];
}
