import type { GuestCalls } from './calls.js';
import type { GuestHost } from './host.js';
import type { GuestKit } from './kit.js';

/** `ctx.fetch` as tenant code calls it: with anything. */
export type Fetch = (url: unknown, init?: { method?: unknown; headers?: unknown; body?: unknown }) => Promise<object>;

/** Makes `ctx.fetch`. */
export function guestFetch(
  host: GuestHost,
  { isArray, need, parse, stringify, toBytes }: GuestKit,
  { hostCall }: GuestCalls,
): Fetch {
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
  return async (url: unknown, init = {}) => {
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
}
