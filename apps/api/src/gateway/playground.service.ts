import type { PlaygroundToken } from '@gantry/contracts';
import type { Clock } from '@gantry/mcp-core';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, conflict } from '../common/errors/app-error.js';
import type { TenantCaller } from '../common/http/request-context.js';
import type { AppConfig } from '../config/app-config.js';
import { PlaygroundTokens } from '../infra/crypto/index.js';
import { APP_CONFIG, CLOCK } from '../infra/tokens.js';
import { Mutations } from '../modules/audit/mutations.js';
import { ServersService } from '../modules/servers/servers.service.js';
import { HostedServers } from '../modules/tools/catalogue/hosted-servers.js';

const TOKEN_MS = 15 * 60_000;

/**
 * Lets a person at the console use a server's MCP endpoint from the browser. The token is made for 15 minutes from the
 * rights of this moment: a sign-out, a lost role and a lost membership end it no sooner.
 */
@Injectable()
export class PlaygroundService {
  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PlaygroundTokens) private readonly tokens: PlaygroundTokens,
    @Inject(HostedServers) private readonly hosted: HostedServers,
    @Inject(ServersService) private readonly servers: ServersService,
    @Inject(Mutations) private readonly mutations: Mutations,
  ) {}

  /** Throws `forbidden` for a key, `not_found`, and `conflict` while nothing of the server is published. */
  async open(caller: TenantCaller, server: string): Promise<PlaygroundToken> {
    const { principal, tenant } = caller;
    if (principal.kind === 'key') {
      throw new AppError('forbidden', 'A playground token stands for a person; an API key opens the endpoint itself.');
    }
    const published = (await this.hosted.get(tenant.slug, server))?.published;
    if (published?.tenantId !== tenant.id) {
      await this.servers.loadStored(caller, server);
      throw conflict('Nothing of this server is published yet, so its endpoint serves nothing. Publish it first.');
    }
    const expiresAt = this.clock.now() + TOKEN_MS;
    const until = new Date(expiresAt).toISOString();
    const { tenantId, serverId } = published;
    await this.mutations.inTenant(tenantId, caller, ({ record }) =>
      record({
        action: 'playground.open',
        object: `server/${server}`,
        tenantId,
        detail: { expiresAt: until },
        changes: [],
      }),
    );
    return {
      token: this.tokens.mint({
        tenantId,
        serverId,
        holder: { kind: principal.kind, id: principal.id },
        expiresAt,
      }),
      expiresAt: until,
      endpoint: `${this.config.publicUrl}/mcp/${tenant.slug}/${server}`,
    };
  }
}
