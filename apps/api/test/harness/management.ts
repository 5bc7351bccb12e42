export const ADMIN_TOKEN = 'wire-admin-token-0123456789';

export interface AdminAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape are looked into
  readonly body: any;
}

export interface NewKey {
  readonly id: string;
  readonly key: string;
}

/** The management API as tests ask it over sockets. */
export interface Management {
  /** Calls the management API with the admin token; `path` goes below `/api/v1`. */
  admin(method: string, path: string, body?: unknown): Promise<AdminAnswer>;
  /** Creates a tenant, with limits if given. */
  tenant(slug: string, limits?: object): Promise<void>;
  /** Publishes a server document. Throws with the answer unless it was taken. */
  server(tenant: string, slug: string, document: object): Promise<AdminAnswer>;
  /** Creates a key. */
  key(tenant: string, more?: { scopes?: string[]; servers?: string[]; expiresAt?: string }): Promise<NewKey>;
  mcpUrl(tenant: string, server: string): string;
}

/** @param base of every URL, asked for each call, no trailing slash */
export function managementOf(base: () => string): Management {
  const admin: Management['admin'] = async (method, path, body) => {
    const response = await fetch(`${base()}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const must = async (method: string, path: string, body: unknown): Promise<AdminAnswer> => {
    const answer = await admin(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  return {
    admin,
    async tenant(slug, limits) {
      await must('POST', '/tenants', { slug, name: slug });
      if (limits !== undefined) await must('PATCH', `/tenants/${slug}`, { limits });
    },
    server: (tenant, slug, document) => must('PUT', `/tenants/${tenant}/servers/${slug}`, document),
    key: async (tenant, more = {}) =>
      (await must('POST', `/tenants/${tenant}/keys`, { name: 'wire', ...more })).body as NewKey,
    mcpUrl: (tenant, server) => `${base()}/mcp/${tenant}/${server}`,
  };
}
