import { type ServerDocument, serverDocumentSchema } from '@gantry/contracts';
import type { CatalogueSnapshot } from '@gantry/mcp-core';
import type { ChangeLogFollower } from '../../infra/changes/change-log-follower.js';
import type { JobRecord } from '../../modules/jobs/store/job-record.js';
import type { ServersService } from '../../modules/servers/servers.service.js';
import type { TenantsService } from '../../modules/tenants/tenants.service.js';
import { buildSnapshot } from '../../modules/tools/catalogue/snapshot.js';

const SNAPSHOTS_MAX = 200;

/** There is nothing left that a job could run on, or be answered by. */
export class ServerGone extends Error {
  override readonly name = 'ServerGone';
}

/** The servers that jobs run on, each in the revision that its call was made to. */
export class JobServers {
  private readonly known = new Map<string, { tenantId: string; snapshot: Promise<CatalogueSnapshot> }>();

  constructor(
    private readonly servers: Pick<ServersService, 'revisionDocument'>,
    private readonly tenants: Pick<TenantsService, 'facts'>,
    follower: Pick<ChangeLogFollower, 'on' | 'onLost'>,
  ) {
    // A revision never changes; what its tenant allows does.
    follower.on('tenant', ({ tenantId }) => this.drop(tenantId));
    follower.onLost(() => this.known.clear());
  }

  /** @throws ServerGone when the revision, or its tenant, is gone */
  async of(job: JobRecord): Promise<CatalogueSnapshot> {
    if (job.definition !== undefined) return this.build(job, serverDocumentSchema.parse(job.definition));
    const name = `${job.serverId}:${job.revision}`;
    const known = this.known.get(name);
    if (known !== undefined) return known.snapshot;
    if (this.known.size >= SNAPSHOTS_MAX) this.known.delete(this.known.keys().next().value as string);
    const snapshot = this.load(job);
    this.known.set(name, { tenantId: job.tenantId, snapshot });
    snapshot.catch(() => this.known.delete(name));
    return snapshot;
  }

  private async load(job: JobRecord): Promise<CatalogueSnapshot> {
    const document = await this.servers.revisionDocument(job.tenantId, job.serverId, job.revision);
    if (document === undefined) throw new ServerGone(`revision ${job.revision} of server ${job.server} is gone`);
    return this.build(job, document);
  }

  private async build(job: JobRecord, document: ServerDocument): Promise<CatalogueSnapshot> {
    const tenant = await this.tenants.facts(job.tenantId);
    if (tenant === undefined) throw new ServerGone('the tenant is gone');
    const { tenantId, serverId, server: serverSlug, revision } = job;
    const { slug: tenantSlug, limits: tenantLimits } = tenant;
    return buildSnapshot({ tenantId, tenantSlug, tenantLimits, serverId, serverSlug, revision, document });
  }

  private drop(tenantId: string | null): void {
    for (const [name, one] of this.known) if (one.tenantId === tenantId) this.known.delete(name);
  }
}
