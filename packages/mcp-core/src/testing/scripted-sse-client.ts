import type { HostContext } from '../dispatch/host.js';
import type { McpEndpoint } from '../transports/streamable-http/endpoint.js';
import { FrameWatch } from './frame-watch.js';
import type { Json } from './json.js';
import { RecordingResponder } from './recording-responder.js';
import { type ClientOptions, type RequestHeaders, ScriptedClient } from './scripted-client.js';

/** Speaks HTTP+SSE to endpoints as a client of 2024-11-05 would, without sockets: a stream on one node, POSTs to any. */
export class ScriptedSseClient {
  readonly host: HostContext;
  /** The stream that is the session, as soon as it is opened. */
  stream = new RecordingResponder();
  #ids = 0;

  constructor(
    /** The node that POSTs go to. */
    public node: McpEndpoint,
    { snapshot, host }: ClientOptions,
  ) {
    this.host = new ScriptedClient(node, { snapshot, host }).host;
    this.host = { ...this.host, snapshot };
  }

  /** The address that the stream has named. */
  get uri(): string | undefined {
    return this.stream.frames.find(({ event }) => event === 'endpoint')?.data;
  }

  get sessionId(): string {
    return new URL(this.uri ?? '', 'http://any').searchParams.get('sessionId') ?? '';
  }

  /** Asks for a stream; resolves when the session is open, or the answer is none. */
  async connect(node = this.node, headers: RequestHeaders = {}): Promise<RecordingResponder> {
    const all = { accept: 'text/event-stream', ...headers };
    const stream = new RecordingResponder(new FrameWatch({ headers: all }));
    this.stream = stream;
    const uri = (id: string) => `/mcp/t/s/messages?sessionId=${id}`;
    void node.handleSse({ method: 'GET', headers: all }, stream, this.host, uri);
    return stream.until(() => stream.done || stream.frames.length > 0);
  }

  /** Connects, and goes through the handshake. Gives the result of `initialize`. */
  async open(node = this.node, revision = '2024-11-05', capabilities: object = {}): Promise<Json> {
    await this.connect(node);
    const clientInfo = { name: 'old', version: '1.0.0' };
    const { result } = await this.request('initialize', { protocolVersion: revision, capabilities, clientInfo });
    await this.notify('notifications/initialized');
    return result;
  }

  post(
    message: unknown,
    { headers = {}, sessionId = this.sessionId, host = this.host, node = this.node }: PostOptions = {},
  ): RecordingResponder {
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const all = { 'content-type': 'application/json', ...headers };
    const url = `/messages?sessionId=${sessionId ?? ''}`;
    const responder = new RecordingResponder(new FrameWatch({ headers: all, body, url }));
    const request = { method: 'POST', headers: all, body: Buffer.from(body) };
    void node.handleSseMessage(request, responder, host, sessionId ?? undefined);
    return responder;
  }

  /** Sends a request; the POST must be taken. Gives its id. */
  async send(method: string, params?: object, node = this.node): Promise<number> {
    const id = ++this.#ids;
    const { status, body } = await this.post({ jsonrpc: '2.0', id, method, params }, { node }).finished();
    if (status !== 202 || body !== undefined) throw new Error(`${method} was answered ${status} ${body}`);
    return id;
  }

  /** The answer to a request, from the stream. */
  async answer(id: number): Promise<Json> {
    const found = () => this.stream.messages.find((message) => message.id === id && message.method === undefined);
    await this.stream.until(() => this.stream.done || found() !== undefined);
    return found();
  }

  async request(method: string, params?: object, node = this.node): Promise<Json> {
    return this.answer(await this.send(method, params, node));
  }

  call(name: string, args: object = {}, meta?: object): Promise<Json> {
    return this.request('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  }

  async notify(method: string, params?: object, node = this.node): Promise<void> {
    const { status } = await this.post({ jsonrpc: '2.0', method, params }, { node }).finished();
    if (status !== 202) throw new Error(`${method} was answered ${status}`);
  }
}

export interface PostOptions {
  readonly headers?: RequestHeaders;
  /** Null for none. */
  readonly sessionId?: string | null;
  readonly host?: HostContext;
  readonly node?: McpEndpoint;
}
