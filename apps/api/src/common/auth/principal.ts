import type { MemberRole, PlatformRole, Scope } from '@gantry/contracts';

/** The admin token: everything an operator and every tenant's owner may do. */
export interface AutomationPrincipal {
  readonly kind: 'automation';
  readonly id: 'automation';
}

/** An API key, as it was when it was last verified. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly id: string;
  readonly name: string;
  readonly tenantId: string;
  readonly tenantSlug: string;
  readonly scopes: readonly Scope[];
  /** Slugs of the servers it is narrowed to; empty means all. */
  readonly servers: readonly string[];
  /** Milliseconds since the epoch after which this value is refused. */
  readonly validUntil: number | undefined;
}

/** A person with a console session. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly id: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly platformRole: PlatformRole | undefined;
  /** Role by tenant id. */
  readonly memberships: ReadonlyMap<
    string,
    { readonly slug: string; readonly name: string; readonly role: MemberRole }
  >;
}

export type Principal = AutomationPrincipal | KeyPrincipal | UserPrincipal;

/**
 * Somebody at the playground: known at the MCP endpoint of one server and nowhere else. Their rights were checked when
 * the token was made; what changes later, a sign-out as well, counts when it ends, some minutes on.
 */
export interface PlaygroundPrincipal {
  readonly kind: 'playground';
  /** In whose name: sessions, calls and streams are theirs. */
  readonly holder: { readonly kind: 'user' | 'automation'; readonly id: string };
  readonly tenantId: string;
  readonly serverId: string;
  /** Milliseconds since the epoch after which this value is refused. */
  readonly validUntil: number;
}

/** Who may stand at an MCP endpoint. */
export type EndpointPrincipal = Principal | PlaygroundPrincipal;

/** How a principal is written into the audit trail. */
export function actorOf(principal: Principal): string {
  return principal.kind === 'automation' ? 'automation' : `${principal.kind}:${principal.id}`;
}

/** Which tenant a request is about. */
export interface TenantRef {
  readonly id: string;
  readonly slug: string;
}

/** What the request gate asks of the modules behind it. */
export interface GatePorts {
  /**
   * The principal behind an `Authorization` header, undefined when there is none or it is not valid (any more).
   * Throws `rate_limited` when the address has tried too many unknown credentials.
   */
  resolve(authorization: string | undefined, address: string): Promise<Principal | undefined> | Principal | undefined;
  findTenant(slug: string): Promise<TenantRef | undefined>;
}
