import { type Answer, type Ask, ask, type Message, type Sent, send } from './exchange.js';

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
export const MODERN = '2026-07-28';
export const LATEST_LEGACY = '2025-11-25';

type Headers = NonNullable<Ask['headers']>;
export const JSON_POST: Headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export function bearer(key: string): Headers {
  return { authorization: `Bearer ${key}` };
}

export interface ModernAsk {
  readonly id?: string | number;
  readonly headers?: Headers;
  /** More of `_meta`; undefined takes a key out. */
  readonly meta?: Record<string, unknown>;
}

/** A client of 2026-07-28 that sends exactly what it is told. */
export class ModernClient {
  private ids = 0;

  constructor(
    readonly url: string,
    readonly key: string,
  ) {}

  /** What `ask` and `send` take. `headers` replace the ones a sound request would have. */
  request(method: string, params: Record<string, unknown> = {}, { id, headers, meta }: ModernAsk = {}): Ask {
    const _meta = { [VERSION_KEY]: MODERN, [CAPABILITIES_KEY]: {}, ...meta };
    const name = (params.name ?? params.uri) as string | undefined;
    const standard = { 'mcp-protocol-version': MODERN, 'mcp-method': method, 'mcp-name': name };
    return {
      headers: { ...JSON_POST, ...bearer(this.key), ...standard, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: id ?? ++this.ids, method, params: { ...params, _meta } }),
    };
  }

  ask(method: string, params?: Record<string, unknown>, more?: ModernAsk): Promise<Answer> {
    return ask(this.url, this.request(method, params, more));
  }

  call(name: string, args: object = {}, more?: ModernAsk): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: args }, more);
  }

  /** A call that the test may break off. */
  start(name: string, args: object = {}, more?: ModernAsk): Sent {
    return send(this.url, this.request('tools/call', { name, arguments: args }, more));
  }

  /** A listen stream, after its acknowledgement. */
  async listen(notifications: object = { toolsListChanged: true }, more?: ModernAsk): Promise<Answer> {
    const answer = await this.ask('subscriptions/listen', { notifications }, more);
    if (answer.streaming) await answer.notified('notifications/subscriptions/acknowledged');
    return answer;
  }
}

/** A client of the revisions with sessions that sends exactly what it is told. */
export class SessionClient {
  sessionId = '';
  /** Shared with the copies made by `at`: a session has one row of request ids. */
  private counter = { ids: 0 };

  constructor(
    readonly url: string,
    readonly key: string,
    readonly revision = LATEST_LEGACY,
  ) {}

  get headers(): Headers {
    return {
      ...JSON_POST,
      ...bearer(this.key),
      'mcp-session-id': this.sessionId === '' ? undefined : this.sessionId,
      'mcp-protocol-version': this.sessionId === '' ? undefined : this.revision,
    };
  }

  post(message: unknown, headers: Headers = {}): Promise<Answer> {
    return ask(this.url, { headers: { ...this.headers, ...headers }, body: JSON.stringify(message) });
  }

  /** The same client in the same session, asking another address. */
  at(url: string): SessionClient {
    const there = new SessionClient(url, this.key, this.revision);
    there.sessionId = this.sessionId;
    there.counter = this.counter;
    return there;
  }

  initialize(headers: Headers = {}, capabilities: object = {}): Promise<Answer> {
    const clientInfo = { name: 'wire', version: '1.0.0' };
    const params = { protocolVersion: this.revision, capabilities, clientInfo };
    return this.post({ jsonrpc: '2.0', id: ++this.counter.ids, method: 'initialize', params }, headers);
  }

  /** Opens the session and says that it is open. */
  async open(capabilities: object = {}): Promise<this> {
    const answer = await this.initialize({}, capabilities);
    await answer.body();
    this.sessionId = answer.headers['mcp-session-id'] as string;
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return this;
  }

  request(method: string, params: object = {}, { id = ++this.counter.ids as string | number } = {}): Ask {
    return { headers: this.headers, body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) };
  }

  ask(method: string, params?: object, more?: { id?: string | number }): Promise<Answer> {
    return ask(this.url, this.request(method, params, more));
  }

  call(name: string, args: object = {}, more: { id?: string | number; meta?: object } = {}): Promise<Answer> {
    return this.ask('tools/call', { name, arguments: args, ...(more.meta && { _meta: more.meta }) }, more);
  }

  start(name: string, args: object = {}, more: { id?: string | number; meta?: object } = {}): Sent {
    const params = { name, arguments: args, ...(more.meta && { _meta: more.meta }) };
    return send(this.url, this.request('tools/call', params, more));
  }

  /** The standalone stream, or with an event id the stream it belongs to. */
  get(lastEventId?: string): Promise<Answer> {
    const headers = { ...this.headers, 'content-type': undefined, accept: 'text/event-stream' };
    return ask(this.url, { method: 'GET', headers: { ...headers, 'last-event-id': lastEventId } });
  }

  delete(): Promise<Answer> {
    return ask(this.url, { method: 'DELETE', headers: this.headers });
  }
}

/** The text of a tool result's first block. */
export function textOf(message: Message): string {
  return message.result.content[0].text;
}
