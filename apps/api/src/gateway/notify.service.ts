import type { NotifyBody, PointedMessage } from '@gantry/contracts';
import { type CatalogueSnapshot, McpEndpoint, ResourceIndex, type ServerChange } from '@gantry/mcp-core';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, conflict } from '../common/errors/app-error.js';
import { pointer } from '../common/http/json-faults.js';
import type { TenantCaller } from '../common/http/request-context.js';
import { Mutations } from '../modules/audit/mutations.js';
import { ServersService } from '../modules/servers/servers.service.js';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';
import { serverKey } from '../modules/tools/catalogue/snapshot.js';

/** What a person or a program behind a server has to say to its clients. */
@Injectable()
export class NotifyService {
  constructor(
    @Inject(ServersService) private readonly servers: ServersService,
    @Inject(HostedServers) private readonly hosted: HostedServers,
    @Inject(McpEndpoint) private readonly endpoint: McpEndpoint,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /**
   * Throws `not_found`, `conflict` while nothing is published, `validation_failed` for a URI or a list that clients know
   * nothing of, and `unavailable` when some of them may not have been told.
   */
  async notify(caller: TenantCaller, slug: string, body: NotifyBody): Promise<void> {
    await this.servers.document(caller, slug);
    const hosted = await this.hosted.get(caller.tenant.slug, slug);
    if (hosted === undefined) throw conflict('Nothing of this server is published, so it has no clients.');
    const { snapshot, published } = hosted;
    const errors = faultsIn(body, snapshot);
    if (errors.length > 0) throw new AppError('validation_failed', 'The body has faults.', { errors });
    await this.mutations.inTenant(caller.tenant.id, caller, ({ record }) =>
      record({
        action: 'server.notify',
        object: `server/${slug}`,
        tenantId: caller.tenant.id,
        detail: detailOf(body),
        changes: [],
      }),
    );
    try {
      for (const change of changesOf(body))
        await this.endpoint.changed(serverKey(published), change, snapshot.settings);
    } catch (cause) {
      const detail = 'Where sessions are kept does not answer, so not every client could be told. Try again.';
      throw new AppError('unavailable', detail, { cause, headers: { 'retry-after': '1' } });
    }
  }
}

function faultsIn(
  { resourceUpdated: uri, listChanged = [] }: NotifyBody,
  snapshot: CatalogueSnapshot,
): PointedMessage[] {
  const { prompts, resources, resourceTemplates } = snapshot;
  const faults: PointedMessage[] = [];
  if (uri !== undefined && new ResourceIndex(resources ?? [], resourceTemplates ?? []).find(uri) === undefined) {
    faults.push({ path: '/resourceUpdated', message: 'is the URI of no published resource, and fits no template' });
  }
  const offered = {
    tools: true,
    prompts: prompts !== undefined,
    resources: (resources ?? resourceTemplates) !== undefined,
  };
  for (const [index, list] of listChanged.entries()) {
    if (!offered[list]) faults.push({ path: pointer('listChanged', index), message: `this server offers no ${list}` });
  }
  return faults;
}

function changesOf({ resourceUpdated: uri, message, listChanged = [] }: NotifyBody): ServerChange[] {
  return [
    ...[...new Set(listChanged)].map((list): ServerChange => ({ kind: 'list', list })),
    ...(uri === undefined ? [] : [{ kind: 'resource', uri } as const]),
    ...(message === undefined ? [] : [{ kind: 'message', ...message } as const]),
  ];
}

/** What was said is for the clients; that it was said, and how loud, is for the trail. */
function detailOf({ message, ...told }: NotifyBody): Readonly<Record<string, unknown>> {
  if (message === undefined) return told;
  const { level, logger } = message;
  return { ...told, message: logger === undefined ? { level } : { level, logger } };
}
