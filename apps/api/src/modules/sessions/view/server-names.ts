import { tenantOfKey } from '../../tools/catalogue/snapshot.js';

const REMEMBERED = 20_000;

/** Ids and slugs of all servers of a tenant. */
export type LoadNames = (tenantId: string) => Promise<readonly { readonly id: string; readonly slug: string }[]>;

/** The slugs of servers by the keys that sessions have of them. A server keeps its slug, so names are remembered. */
export class ServerNames {
  private readonly slugs = new Map<string, string>();

  constructor(private readonly load: LoadNames) {}

  /** Gives the name of each holder's server; its id where the server is gone, as its sessions will be in a moment. */
  async of(
    tenantId: string,
    holders: readonly { readonly server: string }[],
  ): Promise<(holder: { readonly server: string }) => string> {
    if (holders.some(({ server }) => !this.slugs.has(server))) await this.learn(tenantId);
    return ({ server }) => this.slugs.get(server) ?? server.slice(tenantOfKey(server).length + 1);
  }

  async idOf(tenantId: string, slug: string): Promise<string | undefined> {
    return (await this.learn(tenantId)).find((server) => server.slug === slug)?.id;
  }

  private async learn(tenantId: string) {
    const servers = await this.load(tenantId);
    for (const { id, slug } of servers) this.slugs.set(`${tenantId}/${id}`, slug);
    while (this.slugs.size > REMEMBERED) this.slugs.delete(this.slugs.keys().next().value as string);
    return servers;
  }
}
