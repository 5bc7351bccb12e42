import type { Topic } from '@gantry/contracts';
import { permissionsIn, permissionsOnPlatform } from '../../common/auth/permissions.js';
import type { Principal } from '../../common/auth/principal.js';
import { forbidden, notFound, unauthenticated } from '../../common/errors/app-error.js';
import type { RecentCalls } from '../calls/recent-calls.js';
import type { JobsAdminService } from '../jobs/api/jobs-admin.service.js';
import type { PrincipalResolver } from '../keys/principal-resolver.js';
import type { NodeRegistry } from '../nodes/node-registry.js';
import type { LiveSessions } from '../sessions/view/live-sessions.js';
import type { TenantsService } from '../tenants/tenants.service.js';
import type { GrantedTopic } from './feeds.js';
import { callsSource, jobsSource, matters, nodesSource, sessionSource, sessionsSource } from './sources.js';

export interface StreamAccessParts {
  readonly principals: Pick<PrincipalResolver, 'resolve'>;
  readonly tenants: Pick<TenantsService, 'findRef'>;
  readonly live: LiveSessions;
  readonly calls: RecentCalls;
  readonly jobs: JobsAdminService;
  readonly nodes: NodeRegistry;
}

/** Who reads, and what of it they may. */
export interface Grant {
  readonly principal: Principal;
  readonly topics: readonly GrantedTopic[];
}

/** Who may read which topic: whoever may GET the same. Asked when a stream opens, and again while it is open. */
export class StreamAccess {
  constructor(private readonly parts: StreamAccessParts) {}

  /** @throws AppError 401, 403, or 404 for what the caller may not know of */
  async grant(authorization: string | undefined, address: string, topics: readonly Topic[]): Promise<Grant> {
    const principal = await this.parts.principals.resolve(authorization, address);
    if (principal === undefined) throw unauthenticated('The credential is not valid any more.');
    return { principal, topics: await Promise.all(topics.map((topic) => this.granted(principal, topic))) };
  }

  private async granted(principal: Principal, topic: Topic): Promise<GrantedTopic> {
    const { live, calls, jobs, nodes } = this.parts;
    if (topic === 'nodes') {
      if (!permissionsOnPlatform(principal).has('nodes:read')) throw forbidden('nodes:read');
      return { topic, matter: matters.nodes, tenantId: undefined, source: () => nodesSource(nodes) };
    }
    const [, kind, slug = '', id = ''] = /^([a-z]+):([^/]+)(?:\/(.+))?$/s.exec(topic) ?? [];
    const tenant = await this.parts.tenants.findRef(slug);
    const permissions = tenant && permissionsIn(principal, tenant);
    if (tenant === undefined || permissions === undefined) throw notFound('tenant');
    if (!permissions.has('calls:read')) throw forbidden('calls:read');
    const tenantId = tenant.id;
    if (kind === 'sessions') {
      return { topic, matter: matters.sessions(tenantId), tenantId, source: () => sessionsSource(live, tenantId) };
    }
    if (kind === 'calls') {
      return { topic, matter: matters.calls(tenantId), tenantId, source: () => callsSource(calls, tenantId) };
    }
    if (kind === 'jobs') {
      const payloads = permissions.has('payloads:read');
      const source = () => jobsSource(jobs, tenantId, payloads);
      return { topic, matter: matters.jobs(tenantId), view: payloads ? 'whole' : 'withheld', tenantId, source };
    }
    return { topic, matter: matters.session(tenantId, id), tenantId, source: () => sessionSource(live, tenantId, id) };
  }
}
