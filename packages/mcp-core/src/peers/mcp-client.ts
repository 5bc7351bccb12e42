import { JsonRpcDispatcher } from '../jsonrpc/dispatcher.js';
import type { DispatcherListeners } from '../jsonrpc/link.js';
import type { Params } from '../jsonrpc/messages.js';
import type { NotificationListener } from '../jsonrpc/notification-hub.js';
import type { RequestOptions } from '../jsonrpc/outgoing-call.js';
import type { PluggableTransport, Transport } from '../jsonrpc/transport.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type Meter, noopMeter } from '../ports/meter.js';
import { LEGACY_REVISIONS } from '../protocol/revisions.js';
import type {
  Implementation,
  LogLevel,
  Prompt,
  PromptOutcome,
  Resource,
  ResourceOutcome,
  ResourceTemplate,
  Tool,
  ToolOutcome,
} from '../protocol/types.js';
import { listAnswer, objectAnswer, walkPages } from './answers.js';
import { declaredCapabilities, type QuestionHandlers, registerHandlers } from './client-handlers.js';
import { PeerUsageError } from './errors.js';
import { type ServerDescription, shakeHands } from './handshake.js';

export type { ServerDescription };

/** What may differ from the usual. */
export interface McpClientOptions extends QuestionHandlers {
  /** Longest wait in milliseconds for the answer to a request that names no other; a minute without it. */
  readonly timeoutMs?: number;
  /** The revision asked for; the newest that has `initialize` without it. */
  readonly revision?: (typeof LEGACY_REVISIONS)[number];
  readonly clock?: Clock;
  readonly meter?: Meter;
  /** Told what no caller can be told. */
  readonly listeners?: DispatcherListeners;
}

/** How one request may end before its answer. */
export type CallOptions = Pick<RequestOptions, 'signal' | 'timeoutMs' | 'maxTotalTimeoutMs' | 'onProgress'>;

/** What is completed (schema: PromptReference, ResourceTemplateReference). */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** Values that may stand for an argument. */
export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

/** Of transports that repeat the revision beside each message, such as the official one for HTTP. */
interface VersionedTransport {
  setProtocolVersion?(version: string): void;
}

/** A listener of every connection of the client, until it is removed. */
interface Heard {
  readonly method: string;
  readonly listener: NotificationListener;
  /** Removes it from the connection that stands. */
  stop: (() => void) | undefined;
}

/**
 * An MCP client of the revisions that begin with `initialize`, over any transport. Every request rejects with
 * `MCPError` (the server's error), `RequestCancelledError`, `RequestTimeoutError`, `MCPTransportError`, or with
 * `UnexpectedAnswerError` when the answer is none.
 */
export class McpClient {
  #dispatcher: JsonRpcDispatcher | undefined;
  #server: ServerDescription | undefined;
  readonly #heard = new Set<Heard>();

  constructor(
    private readonly info: Implementation,
    private readonly options: McpClientOptions = {},
  ) {}

  /**
   * Starts the transport and agrees on a revision.
   * @throws PeerUsageError CONNECTED_TWICE
   * @throws MCPError -32022 when the server speaks none of our revisions; the connection is closed then
   */
  async connect(pluggable: PluggableTransport, options: CallOptions = {}): Promise<ServerDescription> {
    if (this.#dispatcher?.closed === false) {
      throw new PeerUsageError('CONNECTED_TWICE', 'This client is connected already');
    }
    const transport = pluggable as Transport;
    const { clock = systemClock, meter = noopMeter, listeners } = this.options;
    const dispatcher = new JsonRpcDispatcher({
      side: 'client',
      transport,
      dispatcherId: this.info.name,
      clock,
      meter,
      ...(listeners === undefined ? {} : { listeners }),
    });
    this.#dispatcher = dispatcher;
    registerHandlers(dispatcher, this.options);
    for (const heard of this.#heard) heard.stop = dispatcher.onNotification(heard.method, heard.listener);
    try {
      await dispatcher.start();
      this.#server = await this.#initialize(dispatcher, options);
      (transport as VersionedTransport).setProtocolVersion?.(this.#server.revision);
      await dispatcher.notify('notifications/initialized');
    } catch (error) {
      await this.close();
      throw error;
    }
    return this.#server;
  }

  /** What the server says of itself; undefined before `connect` has resolved. */
  get server(): ServerDescription | undefined {
    return this.#server;
  }

  /** All tools, every page of them. */
  listTools(options?: CallOptions): Promise<Tool[]> {
    return this.#list('tools/list', 'tools', options);
  }

  /** Runs a tool. A tool that failed resolves with `isError`. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options?: CallOptions,
  ): Promise<ToolOutcome> {
    const method = 'tools/call';
    return listAnswer<ToolOutcome>(method, await this.request(method, { name, arguments: args }, options), 'content');
  }

  /** All resources, every page of them. */
  listResources(options?: CallOptions): Promise<Resource[]> {
    return this.#list('resources/list', 'resources', options);
  }

  listResourceTemplates(options?: CallOptions): Promise<ResourceTemplate[]> {
    return this.#list('resources/templates/list', 'resourceTemplates', options);
  }

  async readResource(uri: string, options?: CallOptions): Promise<ResourceOutcome> {
    const method = 'resources/read';
    return listAnswer<ResourceOutcome>(method, await this.request(method, { uri }, options), 'contents');
  }

  /** Asks to be told `notifications/resources/updated` of a resource. */
  async subscribe(uri: string, options?: CallOptions): Promise<void> {
    await this.request('resources/subscribe', { uri }, options);
  }

  async unsubscribe(uri: string, options?: CallOptions): Promise<void> {
    await this.request('resources/unsubscribe', { uri }, options);
  }

  listPrompts(options?: CallOptions): Promise<Prompt[]> {
    return this.#list('prompts/list', 'prompts', options);
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: CallOptions,
  ): Promise<PromptOutcome> {
    const method = 'prompts/get';
    return listAnswer<PromptOutcome>(
      method,
      await this.request(method, { name, arguments: args }, options),
      'messages',
    );
  }

  /** @param context arguments that have values already (revisions from 2025-06-18) */
  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    context?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<Completion> {
    const method = 'completion/complete';
    const params = { ref, argument, ...(context === undefined ? {} : { context: { arguments: context } }) };
    const { completion } = objectAnswer(method, await this.request(method, params, options));
    return listAnswer<Completion>(method, completion, 'values');
  }

  /** The least severe log message the server is to send. */
  async setLogLevel(level: LogLevel, options?: CallOptions): Promise<void> {
    await this.request('logging/setLevel', { level }, options);
  }

  async ping(options?: CallOptions): Promise<void> {
    await this.request('ping', undefined, options);
  }

  /** Tells the server that what `roots` gives has changed. */
  rootsChanged(): Promise<void> {
    return this.#connected.notify('notifications/roots/list_changed');
  }

  /**
   * Any request at all. @throws PeerUsageError NOT_CONNECTED
   */
  request(method: string, params?: Params, options: CallOptions = {}): Promise<unknown> {
    return this.#connected.request(method, params, { timeoutMs: this.options.timeoutMs ?? 60_000, ...options });
  }

  /** Adds a listener, before or after `connect`, and returns the function that removes it. */
  onNotification(method: string, listener: NotificationListener): () => void {
    const heard: Heard = { method, listener, stop: this.#dispatcher?.onNotification(method, listener) };
    this.#heard.add(heard);
    return () => {
      this.#heard.delete(heard);
      heard.stop?.();
    };
  }

  /** Ends the connection: what is pending is rejected. May be called twice. */
  async close(): Promise<void> {
    await this.#dispatcher?.close();
  }

  get #connected(): JsonRpcDispatcher {
    if (this.#dispatcher === undefined) throw new PeerUsageError('NOT_CONNECTED', 'This client is not connected yet');
    return this.#dispatcher;
  }

  #initialize(dispatcher: JsonRpcDispatcher, options: CallOptions): Promise<ServerDescription> {
    const params = {
      protocolVersion: this.options.revision ?? LEGACY_REVISIONS[0],
      capabilities: declaredCapabilities(this.options),
      clientInfo: this.info,
    };
    return shakeHands(dispatcher, params, { timeoutMs: this.options.timeoutMs ?? 60_000, ...options });
  }

  #list<T>(method: string, member: string, options: CallOptions | undefined): Promise<T[]> {
    return walkPages<T>(method, member, (params) => this.request(method, params, options));
  }
}
