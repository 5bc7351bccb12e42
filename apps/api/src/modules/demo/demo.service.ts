import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionSchema, type ServerDocument } from '@gantry/contracts';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';
import type { Caller, TenantCaller } from '../../common/http/request-context.js';
import type { AppConfig } from '../../config/app-config.js';
import { APP_CONFIG, LOGGER, type Log } from '../../infra/tokens.js';
import { KeysService } from '../keys/keys.service.js';
import { ServersService } from '../servers/servers.service.js';
import { TenantsService } from '../tenants/tenants.service.js';
import { DemoBackend } from './demo-backend.js';
import { demoDocument } from './demo-document.js';

const SLUG = 'demo';
const BACKEND_URL = /^http:\/\/127\.0\.0\.1:(\d+)(?=\/)/;

/**
 * The demo tenant of a first start: a server with something of each kind, a little backend for what it reads over HTTP, and a key in
 * `DATA_DIR/demo-key`. What somebody changed or deleted since is left as it is, but for the backend's port.
 */
@Injectable()
export class DemoService implements OnApplicationShutdown {
  private readonly backend = new DemoBackend();

  constructor(
    @Inject(APP_CONFIG) private readonly config: AppConfig,
    @Inject(TenantsService) private readonly tenants: TenantsService,
    @Inject(ServersService) private readonly servers: ServersService,
    @Inject(KeysService) private readonly keys: KeysService,
    @Inject(LOGGER) private readonly log: Log,
  ) {}

  /** Makes what is missing. A demo that cannot be made is logged and keeps nobody from starting. */
  async ensure(): Promise<void> {
    if (!this.config.demo) return;
    try {
      const firstStart = !existsSync(this.keyFile);
      const known = await this.tenants.findRef(SLUG);
      if (known === undefined && !firstStart) return;
      if (known === undefined) await this.tenants.create(caller(), SLUG, 'Demo');
      const tenant = known ?? (await this.tenants.findRef(SLUG));
      if (tenant === undefined) throw new Error('the demo tenant vanished while it was made');
      await this.serve({ ...caller(), tenant }, firstStart);
    } catch (err) {
      this.log.error({ err }, 'the demo could not be made');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.backend.stop();
  }

  private async serve(tenant: TenantCaller, firstStart: boolean): Promise<void> {
    const stored = await this.stored(tenant);
    if (stored === undefined && !firstStart) return;
    const before = stored && backendPort(stored);
    const port = await this.backend.start(before ?? 0);
    if (port !== before) await this.point(tenant, stored, port, before);
    if (firstStart) await this.mintKey(tenant);
  }

  private async stored(tenant: TenantCaller): Promise<ServerDocument | undefined> {
    try {
      return await this.servers.document(tenant, SLUG);
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** Opens the backend's port to this tenant alone, and points its tools there. */
  private async point(
    tenant: TenantCaller,
    stored: ServerDocument | undefined,
    port: number,
    before: number | undefined,
  ): Promise<void> {
    const { limits } = await this.tenants.get(tenant);
    const others = (limits.egressAllow ?? []).filter((entry) => entry !== `127.0.0.1:${before}`);
    await this.tenants.patch(tenant, { limits: { ...limits, egressAllow: [...others, `127.0.0.1:${port}`] } });
    const url = `http://127.0.0.1:${port}`;
    const document = stored === undefined ? demoDocument(url) : moved(stored, url);
    await this.servers.put(tenant, SLUG, document, { draft: false, dryRun: false, ifMatch: undefined });
  }

  private async mintKey(tenant: TenantCaller): Promise<void> {
    const { key } = await this.keys.create(tenant, { name: 'Demo', scopes: ['mcp:call'], servers: [SLUG] });
    mkdirSync(this.config.dataDir, { recursive: true });
    writeFileSync(this.keyFile, `${key}\n`, { mode: 0o600 });
  }

  private get keyFile(): string {
    return join(this.config.dataDir, 'demo-key');
  }
}

/** The platform itself, with the rights of automation. */
function caller(): Caller {
  return {
    requestId: `demo-${randomUUID()}`,
    address: '127.0.0.1',
    principal: { kind: 'automation', id: 'automation' },
    permissions: new Set(permissionSchema.options),
  };
}

function backendPort(document: ServerDocument): number | undefined {
  for (const tool of document.tools) {
    const port = BACKEND_URL.exec(tool.http?.url ?? '')?.[1];
    if (port !== undefined) return Number(port);
  }
  return undefined;
}

function moved(document: ServerDocument, url: string): ServerDocument {
  const { tools, resources, resourceTemplates } = document;
  return {
    ...document,
    tools: tools.map((tool) => pointedTo(url, tool)),
    ...(resources && { resources: resources.map((resource) => pointedTo(url, resource)) }),
    ...(resourceTemplates && { resourceTemplates: resourceTemplates.map((template) => pointedTo(url, template)) }),
  };
}

function pointedTo<Item extends { http?: { url: string } | undefined }>(url: string, item: Item): Item {
  return item.http === undefined
    ? item
    : { ...item, http: { ...item.http, url: item.http.url.replace(BACKEND_URL, url) } };
}
