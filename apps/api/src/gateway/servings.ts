import type { EndpointPrincipal, Principal } from '../common/auth/principal.js';
import { maySeeServer } from '../common/auth/server-scope.js';
import type { PlatformLimits } from '../config/app-config.js';
import type { HostedServer } from '../modules/tools/catalogue/hosted-servers.js';
import { effectiveLimits } from '../modules/usage/limits.js';
import { anonymous, principalOf, Serving, type ServingParts } from './serving.js';

/** Where the metadata of a protected server lives (RFC 9728, path inserted). */
export function metadataPath(tenant: string, server: string): string {
  return `/.well-known/oauth-protected-resource/mcp/${tenant}/${server}`;
}

/** Who may use which server, and the context of those who may, remembered for as long as both are. */
export class Servings {
  private readonly known = new WeakMap<HostedServer, WeakMap<object, Serving>>();

  constructor(
    private readonly publicUrl: string,
    private readonly platform: PlatformLimits,
    private readonly parts: ServingParts,
  ) {}

  /** Undefined when this principal may not use this server, whatever the reason. */
  find(hosted: HostedServer, principal: EndpointPrincipal | undefined): Serving | undefined {
    const identity = principal ?? anonymous;
    let callers = this.known.get(hosted);
    if (callers === undefined) this.known.set(hosted, (callers = new WeakMap()));
    const hit = callers.get(identity);
    if (hit !== undefined) return hit;
    const made = this.make(hosted, principal);
    if (made !== undefined) callers.set(identity, made);
    return made;
  }

  /** The context of a person who tries a draft; their right to do so has been checked. */
  forConsole(hosted: HostedServer, principal: Principal): Serving {
    const caller = principalOf(principal);
    // The right to try a tool is the right to call it here, whatever the key may do on the endpoint.
    const scopes = [...new Set([...caller.scopes, 'mcp:call'])];
    return this.serving(hosted, { ...caller, scopes }, undefined, 'console');
  }

  metadataUrl({ published }: HostedServer): string {
    return `${this.publicUrl}${metadataPath(published.tenantSlug, published.serverSlug)}`;
  }

  private make(hosted: HostedServer, principal: EndpointPrincipal | undefined): Serving | undefined {
    const usable = principal !== undefined && mayUse(hosted, principal) ? principal : undefined;
    if (usable?.kind === 'playground') {
      return this.serving(hosted, { ...usable.holder, scopes: ['mcp:call'] }, usable.validUntil, 'console');
    }
    if (usable === undefined && hosted.published.document.access !== 'public') return undefined;
    const expiresAt = usable?.kind === 'key' ? usable.validUntil : undefined;
    return this.serving(hosted, usable ? principalOf(usable) : anonymous, expiresAt, 'mcp');
  }

  private serving(
    hosted: HostedServer,
    principal: Serving['principal'],
    expiresAt: number | undefined,
    source: 'mcp' | 'console',
  ): Serving {
    const limits = effectiveLimits(hosted.published.tenantLimits, this.platform);
    return new Serving(hosted, principal, expiresAt, limits, this.metadataUrl(hosted), source, this.parts);
  }
}

function mayUse(hosted: HostedServer, principal: EndpointPrincipal): boolean {
  if (principal.kind === 'automation') return true;
  if (principal.kind === 'playground') {
    return principal.tenantId === hosted.published.tenantId && principal.serverId === hosted.published.serverId;
  }
  if (principal.kind !== 'key' || principal.tenantId !== hosted.published.tenantId) return false;
  return (
    maySeeServer(principal, hosted.published.serverSlug) &&
    principal.scopes.some((scope) => scope === 'mcp:call' || scope === 'mcp:read')
  );
}
