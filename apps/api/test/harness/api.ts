import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll } from 'vitest';
import { createLogger } from '../../src/common/logging/logger.js';
import type { AppConfig } from '../../src/config/app-config.js';
import { loadConfig } from '../../src/config/load-config.js';
import { type App, type AppOptions, createApp } from '../../src/create-app.js';
import { openTestDatabase, type TestDatabase } from './database.js';

export const ADMIN_TOKEN = 'test-admin-token-0123456789';

type Method = NonNullable<InjectOptions['method']>;
export interface Call {
  /** Bearer token; the admin token when absent, none when null. */
  readonly as?: string | null;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly from?: string;
}

/** A running application on a database of its own, asked without a socket. */
export interface Api {
  readonly app: App;
  readonly db: TestDatabase;
  call(method: Method, url: string, call?: Call): Promise<LightMyRequestResponse>;
  get(url: string, call?: Call): Promise<LightMyRequestResponse>;
  post(url: string, body?: unknown, call?: Call): Promise<LightMyRequestResponse>;
  put(url: string, body?: unknown, call?: Call): Promise<LightMyRequestResponse>;
  patch(url: string, body?: unknown, call?: Call): Promise<LightMyRequestResponse>;
  delete(url: string, call?: Call): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

/** Configuration of a test application, without files and fixed ports. */
export function testConfig(databaseUrl: string, overrides: Partial<AppConfig> = {}): AppConfig {
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    GANTRY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    GANTRY_ADMIN_TOKEN: ADMIN_TOKEN,
    LOG_LEVEL: 'silent',
  });
  return { ...config, ...overrides };
}

export async function openApi(
  options: Partial<Omit<AppOptions, 'config'>> & { config?: Partial<AppConfig> } = {},
): Promise<Api> {
  const db = await openTestDatabase();
  const app = await createApp({
    logger: createLogger('silent'),
    ...options,
    config: testConfig(db.url, options.config),
  });
  const call: Api['call'] = (method, url, { as, body, headers, from } = {}) => {
    const token = as === undefined ? ADMIN_TOKEN : as;
    return app.fastify.inject({
      method,
      url,
      headers: { host: 'localhost', ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    });
  };
  return {
    app,
    db,
    call,
    get: (url, more) => call('GET', url, more),
    post: (url, body, more) => call('POST', url, { ...more, body }),
    put: (url, body, more) => call('PUT', url, { ...more, body }),
    patch: (url, body, more) => call('PATCH', url, { ...more, body }),
    delete: (url, more) => call('DELETE', url, more),
    async close() {
      await app.close();
      await db.close();
    },
  };
}

/** Gives the test file that calls it an application of its own. Its members are there from the first hook on. */
export function useApi(options: Parameters<typeof openApi>[0] = {}): Api {
  let opened: Api | undefined;
  beforeAll(async () => {
    opened = await openApi(options);
  });
  afterAll(async () => {
    await opened?.close();
  });
  return new Proxy({} as Api, {
    get(_target, member) {
      if (opened === undefined) throw new Error('the application is opened by beforeAll: use it in a test or a hook');
      return opened[member as keyof Api];
    },
  });
}
