import type { HostContext } from '../dispatch/host.js';
import { DEFAULT_LIMITS, type EndpointLimits } from '../dispatch/limits.js';
import { type PreparedServer, prepare } from '../dispatch/prepared-server.js';
import type { PluggableTransport, Transport } from '../jsonrpc/transport.js';
import { InMemoryChangeBus } from '../memory/change-bus.js';
import { InMemoryStateSealer } from '../memory/state-sealer.js';
import type { ServerSettings } from '../ports/catalogue.js';
import type { ListKind, ServerChange } from '../ports/change-bus.js';
import { type Clock, systemClock } from '../ports/clock.js';
import { type IdGenerator, randomIds } from '../ports/id-generator.js';
import { type Logger, silentLogger } from '../ports/logger.js';
import { type Meter, noopMeter } from '../ports/meter.js';
import type { StateSealer } from '../ports/state-sealer.js';
import type { Principal } from '../ports/tool-runner.js';
import { asciiUri } from '../protocol/ascii-uri.js';
import type { Implementation, LogLevel } from '../protocol/types.js';
import { ListenStreams } from '../subscriptions/listen-streams.js';
import {
  type PromptHandler,
  promptRunner,
  type ResourceHandler,
  resourceRunner,
  type ToolHandler,
  toolRunner,
} from './handlers.js';
import {
  Offers,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ToolDefinition,
} from './offers.js';
import { ServerConnection } from './server-connection.js';
import type { ServerCore } from './server-core.js';

/** What may differ from the usual; everything has a default. */
export interface McpServerOptions {
  /** Told to models once, when a client connects. */
  readonly instructions?: string;
  /** Longest run in milliseconds of an offer that names no other; a minute without it. */
  readonly timeoutMs?: number;
  readonly settings?: Partial<ServerSettings>;
  readonly limits?: Partial<EndpointLimits>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly meter?: Meter;
  readonly ids?: IdGenerator;
  /** Needed only where a request of 2026-07-28 that asks may come back on another process. */
  readonly stateSealer?: StateSealer;
}

const SETTINGS: ServerSettings = Object.freeze({
  sessions: true,
  legacy: true,
  maxSessions: 100,
  sessionTtlMs: 1_800_000,
  requestTimeoutMs: 60_000,
  pendingMax: 100,
  replayMax: 1_024,
  keepAliveMs: 15_000,
  pageSize: 500,
});

/** Principals of clients that are whoever holds the other end of the connection. */
const LOCAL: Principal = Object.freeze({ kind: 'connection', id: 'local', scopes: [] });

/**
 * An MCP server made of functions. It serves any number of connections, each over a transport of its own, and is served
 * over HTTP by an endpoint that is given `hosted`. Methods and revisions are those of `createMcpEndpoint`.
 */
export class McpServer {
  readonly #offers: Offers;
  readonly #connections = new Set<ServerConnection>();
  readonly #changes = new InMemoryChangeBus();
  readonly #key: string;
  readonly #core: ServerCore;

  constructor(info: Implementation, options: McpServerOptions = {}) {
    const { clock = systemClock, ids = randomIds, timeoutMs = 60_000 } = options;
    this.#offers = new Offers({ ...info }, options.instructions, { ...SETTINGS, ...options.settings }, timeoutMs);
    this.#key = `${info.name} ${ids.next()}`;
    const server = () => this.#prepared;
    this.#core = {
      clock,
      ids,
      logger: options.logger ?? silentLogger,
      meter: options.meter ?? noopMeter,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      sealer: options.stateSealer ?? new InMemoryStateSealer(),
      listens: new ListenStreams(this.#changes, clock),
      get server() {
        return server();
      },
      hostFor: (connection) => ({ ...this.hosted, owner: connection, principal: LOCAL }),
      announce: (change) => this.#announce(change),
      ended: (connection) => void this.#connections.delete(connection),
    };
  }

  /**
   * Offers a tool. Arguments that do not fit `inputSchema` (JSON Schema 2020-12 or draft-07) never reach the handler.
   * @throws PeerUsageError DUPLICATE_NAME, INVALID_DEFINITION
   */
  tool<Args extends object = Record<string, unknown>>(
    name: string,
    definition: ToolDefinition,
    handler: ToolHandler<Args>,
  ): this {
    this.#offers.addTool(name, definition, handler);
    return this.#changed('tools');
  }

  /** Offers a prompt. @throws PeerUsageError DUPLICATE_NAME, INVALID_DEFINITION */
  prompt(name: string, definition: PromptDefinition, handler: PromptHandler): this {
    this.#offers.addPrompt(name, definition, handler);
    return this.#changed('prompts');
  }

  /** Offers the resource of a URI. @throws PeerUsageError DUPLICATE_NAME, INVALID_DEFINITION */
  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): this {
    this.#offers.addResource(uri, definition, handler);
    return this.#changed('resources');
  }

  /** Offers every resource whose URI fits an RFC 6570 template. @throws PeerUsageError DUPLICATE_NAME, INVALID_DEFINITION */
  resourceTemplate(uriTemplate: string, definition: ResourceTemplateDefinition, handler: ResourceHandler): this {
    this.#offers.addTemplate(uriTemplate, definition, handler);
    return this.#changed('resources');
  }

  /** Offers it no more; by the URI, or URI template, of a resource. False when it was not offered. */
  remove(kind: 'tool' | 'prompt' | 'resource' | 'resourceTemplate', name: string): boolean {
    if (!this.#offers.remove(kind, name)) return false;
    this.#changed(kind === 'tool' ? 'tools' : kind === 'prompt' ? 'prompts' : 'resources');
    return true;
  }

  /** Serves the client at the other end. Resolves when the transport has started. */
  async connect(transport: PluggableTransport): Promise<ServerConnection> {
    const connection = new ServerConnection(this.#core, transport as Transport);
    this.#connections.add(connection);
    await connection.start();
    return connection;
  }

  /** Tells whoever is subscribed to that resource that it has changed. */
  resourceUpdated(uri: string): void {
    this.#announce({ kind: 'resource', uri: asciiUri(uri) });
  }

  /** A log message to every client whose level it passes. */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#announce({ kind: 'message', level, data, ...(logger === undefined ? {} : { logger }) });
  }

  /** What is offered now, for `McpEndpoint.handle`; `owner` and `principal` are the HTTP host's to say. */
  get hosted(): Omit<HostContext, 'owner' | 'principal'> {
    const { snapshot } = this.#offers;
    return { server: this.#key, snapshot, runner: toolRunner, promptRunner, resourceRunner };
  }

  /** Connections that stand. */
  get connections(): readonly ServerConnection[] {
    return [...this.#connections];
  }

  /** Ends every connection: listen requests get their result, what runs is aborted. May be called twice. */
  async close(): Promise<void> {
    this.#core.listens.endAll();
    // Results of listens leave when their promises have settled, which takes no time but some turns.
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([...this.#connections].map((connection) => connection.close('The server was closed')));
  }

  get #prepared(): PreparedServer {
    return prepare(this.#key, this.#offers.snapshot);
  }

  #changed(list: ListKind): this {
    this.#announce({ kind: 'list', list });
    return this;
  }

  #announce(change: ServerChange): void {
    this.#changes.publish(this.#key, change);
    for (const connection of this.#connections) connection.tell(change);
  }
}
