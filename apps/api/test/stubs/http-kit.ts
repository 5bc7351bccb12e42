import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { HttpRunnerSpec } from '@gantry/contracts';
import { EgressGuard, type EgressGuardOptions, hostCovered } from '../../src/infra/egress/index.js';
import { HttpRunner, type HttpRunnerOptions } from '../../src/modules/tools/runners/http/http-runner.js';
import { SecretRefused, type SecretSource } from '../../src/modules/tools/runners/http/secrets.js';

/** Everything a test opened, to be closed in reverse order. */
export class Cleanups {
  private readonly list: (() => unknown)[] = [];

  add(cleanup: () => unknown): void {
    this.list.push(cleanup);
  }

  async run(): Promise<void> {
    for (const cleanup of this.list.splice(0).reverse()) await cleanup();
  }
}

export async function listenHttp(cleanups: Cleanups, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function listenTcp(cleanups: Cleanups, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.add(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** Secrets in memory, bound to hosts as the real ones are; `opened` says which were asked for. */
export function memorySecrets(all: Record<string, { value: string; hosts: string[] }>) {
  const opened: string[] = [];
  const source: SecretSource = {
    async open(_tenantId, name, host) {
      opened.push(`${name}@${host}`);
      const secret = all[name];
      if (!secret) throw new SecretRefused(name, 'missing');
      if (!hostCovered(secret.hosts, host)) throw new SecretRefused(name, 'host');
      return secret.value;
    },
  };
  return { source, opened };
}

/** Takes what a tool tells on its way. */
const ignore = (..._said: unknown[]): void => {};

export interface Kit {
  readonly secrets?: SecretSource;
  readonly guard?: EgressGuardOptions;
  readonly runner?: Partial<HttpRunnerOptions>;
}

/** A runner for tools on the loopback interface, and one call to compile and run a tool. */
export function httpKit(cleanups: Cleanups, kit: Kit = {}) {
  const guard = new EgressGuard({ allow: ['127.0.0.0/8'], ...kit.guard });
  cleanups.add(() => guard.close());
  const secrets = kit.secrets ?? memorySecrets({}).source;
  const runner = new HttpRunner({ guard, secrets, ...kit.runner });
  const compile = (spec: Partial<HttpRunnerSpec> & { url: string }, inputSchema: Record<string, unknown> = {}) =>
    runner.compile({ method: 'GET', ...spec }, inputSchema);
  const call = async (
    spec: Partial<HttpRunnerSpec> & { url: string },
    args: Record<string, unknown> = {},
    { timeoutMs = 5_000, signal = new AbortController().signal, progress = ignore, log = ignore } = {},
  ) => {
    const compiled = compile(spec);
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
    const definition = { name: 'probe', inputSchema: { type: 'object' as const } };
    const tool = { definition, stateful: false, timeoutMs, runner: undefined };
    return runner.run(
      compiled.plan,
      { tool, arguments: args },
      { signal, progress, log },
      { tenantId: 't', egressAllow: [] },
    );
  };
  return { guard, runner, compile, call };
}

/** The text of an outcome's first block. */
export function textOf(outcome: { content: readonly unknown[] }): string {
  return (outcome.content[0] as { text: string }).text;
}
