import type {
  TryPromptAnswer,
  TryResourceAnswer,
  TryToolAnswer,
  tryPromptBodySchema,
  tryResourceBodySchema,
  tryToolBodySchema,
} from '@gantry/contracts';
import { type CatalogueSnapshot, type ClientCapabilities, McpEndpoint, modernRequest } from '@gantry/mcp-core';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { notFound } from '../common/errors/app-error.js';
import type { TenantCaller } from '../common/http/request-context.js';
import type { AppConfig } from '../config/app-config.js';
import { APP_CONFIG } from '../infra/tokens.js';
import { ServersService } from '../modules/servers/servers.service.js';
import { buildSnapshot } from '../modules/tools/catalogue/snapshot.js';
import { Servings } from './servings.js';
import { promptTry, resourceTry, type TryKind, toolTry } from './try-outcome.js';
import { type TryEvents, type TryOutlet, TryResponder } from './try-responder.js';

/** A person at the console can be asked whatever a server may ask. */
const CAPABILITIES: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/** Found and permitted, not yet begun. */
export interface PreparedTry<Answer> {
  readonly kind: TryKind<Answer>;
  /** @param outlet where events are sent on as they come */
  start(events: TryEvents, outlet?: TryOutlet): TryResponder;
}

interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
}

interface Round {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  readonly requestState?: string | undefined;
}

/**
 * Runs what a stored document offers for the person who edits it: the draft, through the code that serves clients, as
 * a client of the newest revision. Each throws `not_found` before anything begins.
 */
@Injectable()
export class TryRuns {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(ServersService) private readonly servers: ServersService,
    @Inject(Servings) private readonly servings: Servings,
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
  ) {}

  tool(
    caller: TenantCaller,
    server: string,
    name: string,
    { arguments: args, ...round }: z.infer<typeof tryToolBodySchema>,
  ): Promise<PreparedTry<TryToolAnswer>> {
    return this.prepare(caller, server, toolTry, round, ({ tools }) => {
      const tool = tools.find(({ definition }) => definition.name === name);
      if (tool === undefined) throw notFound('tool');
      return { params: { name, arguments: args }, inputSchema: tool.definition.inputSchema };
    });
  }

  prompt(
    caller: TenantCaller,
    server: string,
    name: string,
    { arguments: args, ...round }: z.infer<typeof tryPromptBodySchema>,
  ): Promise<PreparedTry<TryPromptAnswer>> {
    return this.prepare(caller, server, promptTry, round, ({ prompts = [] }) => {
      if (!prompts.some(({ definition }) => definition.name === name)) throw notFound('prompt');
      return { params: { name, arguments: args } };
    });
  }

  resource(
    caller: TenantCaller,
    server: string,
    { uri, ...round }: z.infer<typeof tryResourceBodySchema>,
  ): Promise<PreparedTry<TryResourceAnswer>> {
    return this.prepare(caller, server, resourceTry, round, ({ resources, resourceTemplates }) => {
      // Which template a URI fits, only the engine says.
      if (resources === undefined && resourceTemplates === undefined) throw notFound('resource');
      return { params: { uri } };
    });
  }

  private async prepare<Answer>(
    caller: TenantCaller,
    server: string,
    kind: TryKind<Answer>,
    { inputResponses, requestState }: Round,
    find: (draft: CatalogueSnapshot) => Asked,
  ): Promise<PreparedTry<Answer>> {
    const stored = await this.servers.loadStored(caller, server);
    const snapshot = buildSnapshot(stored, this.config.limits.jobTimeoutMs);
    const request = modernRequest({
      ...find(snapshot),
      id: caller.requestId,
      method: kind.method,
      client: { name: 'gantry-console', version: this.config.version },
      capabilities: CAPABILITIES,
      ...(inputResponses === undefined ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
      progressToken: caller.requestId,
      logLevel: 'debug',
    });
    const serving = this.servings.forConsole({ published: stored, snapshot }, caller.principal);
    return {
      kind,
      start: (events, outlet) => {
        const responder = new TryResponder(events, outlet);
        const done = this.endpoint.handle(request, responder, serving);
        if (done instanceof Promise) done.catch(() => responder.empty(500));
        return responder;
      },
    };
  }
}
