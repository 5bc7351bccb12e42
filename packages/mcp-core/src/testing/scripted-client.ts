import type { HostContext } from '../dispatch/host.js';
import type { CatalogueSnapshot } from '../ports/catalogue.js';
import { CLIENT_CAPABILITIES_KEY, PROTOCOL_VERSION_KEY } from '../protocol/meta-keys.js';
import type { McpEndpoint } from '../transports/streamable-http/endpoint.js';
import { encodeMirrored } from '../wire/mirrored-value.js';
import { fixturePromptRunner, fixtureResourceRunner } from './fixture-offers.js';
import { fixtureRunner } from './fixture-server.js';
import { FrameWatch } from './frame-watch.js';
import type { Json } from './json.js';
import { RecordingResponder } from './recording-responder.js';

/** Headers as `HttpRequest` has them; undefined leaves one out that is usually sent. */
export type RequestHeaders = Record<string, string | string[] | undefined>;

/** The server a client calls, and what differs in the host around it. */
export interface ClientOptions {
  readonly snapshot: CatalogueSnapshot;
  readonly host?: Partial<HostContext>;
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/**
 * Speaks to an endpoint as an HTTP client would, without sockets: every answer is a `RecordingResponder`, and every
 * message of it is judged by the schema of its revision.
 */
export class ScriptedClient {
  snapshot: CatalogueSnapshot;
  sessionId: string | undefined;
  revision: string | undefined;
  host: HostContext;
  #ids = 0;

  constructor(
    readonly endpoint: McpEndpoint,
    { snapshot, host }: ClientOptions,
  ) {
    this.snapshot = snapshot;
    const principal = { kind: 'key', id: 'k1', scopes: ['mcp:call'] };
    this.host = {
      server: 'fixture',
      snapshot,
      owner: 'owner',
      principal,
      runner: fixtureRunner,
      promptRunner: fixturePromptRunner,
      resourceRunner: fixtureResourceRunner,
      ...host,
    };
  }

  /** Any request at all. */
  raw(method: string, headers: RequestHeaders, body?: string | Uint8Array): RecordingResponder {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const responder = new RecordingResponder(new FrameWatch({ headers, body: bytes && Buffer.from(bytes).toString() }));
    const host = { ...this.host, snapshot: this.snapshot };
    void this.endpoint.handle({ method, headers, body: bytes }, responder, host);
    return responder;
  }

  post(message: unknown, headers: RequestHeaders = {}): RecordingResponder {
    return this.raw('POST', { ...JSON_HEADERS, ...headers }, JSON.stringify(message));
  }

  /** A sound request of 2026-07-28; `headers` replace the ones it would have. */
  modern(
    method: string,
    params: Record<string, Json> = {},
    {
      headers = {},
      meta = {},
      id = ++this.#ids,
    }: { headers?: RequestHeaders; meta?: object; id?: string | number } = {},
  ): RecordingResponder {
    const name = method === 'resources/read' ? params.uri : params.name;
    const named = typeof name === 'string' ? encodeMirrored(name) : name;
    const version = '2026-07-28';
    const _meta = { [PROTOCOL_VERSION_KEY]: version, [CLIENT_CAPABILITIES_KEY]: {}, ...meta };
    const standard = { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': named };
    return this.post({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }, { ...standard, ...headers });
  }

  /** Opens a session of that revision, and says that it is open. */
  async open(revision = '2025-11-25', capabilities: object = {}): Promise<RecordingResponder> {
    const clientInfo = { name: 'scripted', version: '1.0.0' };
    const params = { protocolVersion: revision, capabilities, clientInfo };
    const answer = await this.post({ jsonrpc: '2.0', id: ++this.#ids, method: 'initialize', params }).finished();
    this.sessionId = answer.headers['mcp-session-id'];
    this.revision = answer.message?.result?.protocolVersion;
    if (this.sessionId !== undefined) await this.notify('notifications/initialized').finished();
    return answer;
  }

  /** A request in the session. */
  request(
    method: string,
    params?: object,
    { headers = {}, id = ++this.#ids }: { headers?: RequestHeaders; id?: string | number } = {},
  ): RecordingResponder {
    return this.post({ jsonrpc: '2.0', id, method, params }, { ...this.sessionHeaders, ...headers });
  }

  call(
    name: string,
    args?: object,
    meta?: object,
    options?: { headers?: RequestHeaders; id?: string | number },
  ): RecordingResponder {
    return this.request('tools/call', { name, arguments: args, ...(meta ? { _meta: meta } : {}) }, options);
  }

  notify(method: string, params?: object): RecordingResponder {
    return this.post({ jsonrpc: '2.0', method, params }, this.sessionHeaders);
  }

  get(headers: RequestHeaders = {}): RecordingResponder {
    return this.raw('GET', { accept: 'text/event-stream', ...this.sessionHeaders, ...headers });
  }

  delete(headers: RequestHeaders = {}): RecordingResponder {
    return this.raw('DELETE', { ...this.sessionHeaders, ...headers });
  }

  get sessionHeaders(): RequestHeaders {
    return { 'mcp-session-id': this.sessionId, 'mcp-protocol-version': this.revision };
  }
}
