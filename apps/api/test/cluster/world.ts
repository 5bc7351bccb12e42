import { beforeAll } from 'vitest';
import { SessionClient } from '../wire/clients.js';
import { code, everyKind } from '../wire/documents.js';
import { features } from '../wire/features.js';
import { jobKinds } from '../wire/job-documents.js';
import { type ClusterOptions, type ClusterWorld, useCluster } from './cluster.js';

/** A cluster with tenant `acme`, its servers `kinds` and `features`, and a key. */
export interface NodesWorld extends ClusterWorld {
  readonly key: string;
  /** URL of a server at one node. */
  at(node: number, server?: string): string;
  /** URL of a server at the balancer. */
  anywhere(server?: string): string;
  /** A session opened at one node, whose further requests go there as well. */
  open(node: number, more?: { server?: string; revision?: string; capabilities?: object }): Promise<SessionClient>;
  /** Says something to every session of a server: a log message with this as its data. Throws unless it was taken. */
  say(data: unknown, server?: string): Promise<void>;
}

export function useNodes(options: ClusterOptions = {}): NodesWorld {
  const { cluster, backend } = useCluster(options);
  const at: NodesWorld['at'] = (node, server = 'kinds') => cluster.node(node).mcpUrl('acme', server);
  const world = {
    cluster,
    backend,
    key: '',
    at,
    anywhere: (server = 'kinds') => cluster.mcpUrl('acme', server),
    open: (node: number, { server, revision, capabilities }: Parameters<NodesWorld['open']>[1] = {}) =>
      new SessionClient(at(node, server), world.key, revision).open(capabilities),
    async say(data: unknown, server = 'kinds') {
      const message = { level: 'error', data };
      const { status, body } = await cluster.admin('POST', `/tenants/acme/servers/${server}/notify`, { message });
      if (status !== 202) throw new Error(`notify was answered ${status} ${JSON.stringify(body)}`);
    },
  };
  beforeAll(async () => {
    await cluster.tenant('acme');
    await cluster.server('acme', 'kinds', everyKind(backend.url));
    await cluster.server('acme', 'features', features(backend.url));
    await cluster.server('acme', 'jobs', jobKinds(backend.url));
    world.key = (await cluster.key('acme')).key;
  });
  return world;
}

/** A tool that changes its document, for edits that clients are told of. */
export function tool(name: string): object {
  return code(name, `return ${JSON.stringify(name)};`);
}
