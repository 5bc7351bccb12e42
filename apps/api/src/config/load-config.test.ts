import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from './load-config.js';

const KEY = Buffer.alloc(32, 7);
const base = { DATABASE_URL: 'postgresql://u:p@db:5432/gantry', GANTRY_MASTER_KEY: KEY.toString('base64') };

const load = (env: Record<string, string | undefined> = {}) => loadConfig({ ...base, ...env });

/** The one line that a wrong value stops the start with. */
function fault(env: Record<string, string | undefined>): string {
  try {
    load(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('loadConfig', () => {
  it('has the defaults of the contract', () => {
    expect(load()).toEqual({
      role: 'all',
      host: '127.0.0.1',
      port: 4000,
      nodeUrl: 'http://127.0.0.1:4000',
      publicUrl: 'http://127.0.0.1:4000',
      adminUrl: 'http://127.0.0.1:3000',
      adminPort: 3000,
      metricsPort: undefined,
      dataDir: `${process.cwd()}/data`,
      databaseUrl: base.DATABASE_URL,
      embedded: false,
      databaseGraceMs: 600_000,
      shutdownGraceMs: 4_000,
      adminToken: undefined,
      masterKey: KEY,
      egressAllow: [],
      allowedOrigins: ['http://127.0.0.1:3000', 'http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'],
      allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
      trustedProxies: [],
      demo: false,
      logLevel: 'info',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      limits: {
        bodyBytes: 4 * 1024 * 1024,
        jsonDepth: 64,
        callsPerMinute: undefined,
        concurrentCalls: undefined,
        sessions: 50_000,
        sessionsPerKey: 20_000,
        listensPerKey: 1_000,
        resultBytes: 16 * 1024 * 1024,
        slowReaderBytes: 1024 * 1024,
        jobSlots: 16,
        concurrentJobs: 50,
        queuedJobs: 10_000,
        jobTimeoutMs: 3_600_000,
        jobRetentionMs: 86_400_000,
        idempotencyMs: 86_400_000,
      },
    });
  });

  it('is frozen', () => {
    const config = load();
    for (const part of [config, config.limits, config.allowedHosts, config.allowedOrigins, config.egressAllow]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('takes an empty variable for an unset one', () => {
    expect(load({ PORT: '', HOST: ' ', ALLOWED_ORIGINS: '', REDIS_URL: '', LIMIT_SESSIONS: '' })).toEqual(load());
  });

  it('says everything in one line', () => {
    expect(fault({ PORT: 'a\nb' })).not.toContain('\n');
  });
});

describe.each(['PORT', 'ADMIN_PORT', 'METRICS_PORT'])('%s', (name) => {
  it.each(['65536', '-1', '4e3', '80.5', 'http', '0x50'])('refuses %s', (value) => {
    expect(fault({ [name]: value })).toMatch(new RegExp(`^${name}: expected a whole number from \\d to 65535, got "`));
  });

  it('takes a port', () => {
    const { port, adminPort, metricsPort } = load({ [name]: '8123' });
    expect([port, adminPort, metricsPort]).toContain(8123);
  });
});

describe('ports', () => {
  it('may be 0 for the console and off for metrics, but not 0 for the API', () => {
    expect(load({ ADMIN_PORT: '0' }).adminPort).toBe(0);
    expect(load({ METRICS_PORT: 'off' }).metricsPort).toBeUndefined();
    expect(fault({ PORT: '0' })).toMatch(/^PORT: /);
  });
});

describe('HOST', () => {
  it.each([
    ['0.0.0.0', '0.0.0.0', 'http://127.0.0.1:4000'],
    ['::', '::', 'http://[::1]:4000'],
    ['[::1]', '::1', 'http://[::1]:4000'],
    ['Gantry.internal', 'gantry.internal', 'http://gantry.internal:4000'],
  ])('%s listens on %s and is published as %s', (value, host, publicUrl) => {
    expect(load({ HOST: value })).toMatchObject({ host, publicUrl });
  });

  it.each(['a b', 'http://x', 'x:80', 'a/b'])('refuses %s', (value) => {
    expect(fault({ HOST: value })).toBe('HOST: expected a host name or an IP address to listen on, without port');
  });
});

describe.each([
  ['PUBLIC_URL', 'publicUrl'],
  ['ADMIN_URL', 'adminUrl'],
  ['NODE_URL', 'nodeUrl'],
] as const)('%s', (name, field) => {
  it('is kept without its trailing slash', () => {
    expect(load({ [name]: 'https://MCP.example.com/' })[field]).toBe('https://mcp.example.com');
    expect(load({ [name]: 'https://example.com/gantry//' })[field]).toBe('https://example.com/gantry');
  });

  it.each(['example.com', 'ftp://x', 'https://u:p@x', 'https://x?a=1', 'https://x#a', 'https://'])(
    'refuses %s',
    (value) => {
      expect(fault({ [name]: value })).toBe(
        `${name}: expected an http or https URL without credentials, query and fragment`,
      );
    },
  );
});

describe('DATABASE_URL', () => {
  it('says that it is required', () => {
    expect(fault({ DATABASE_URL: undefined })).toBe(
      'DATABASE_URL: required, expected postgresql://user:password@host:port/database',
    );
  });

  it.each(['mysql://x/y', 'nowhere', 'localhost:5432'])('refuses %s', (value) => {
    expect(fault({ DATABASE_URL: value })).toBe('DATABASE_URL: expected postgresql://user:password@host:port/database');
  });
});

describe('GANTRY_MASTER_KEY', () => {
  it.each([
    KEY.toString('hex'),
    KEY.toString('hex').toUpperCase(),
    KEY.toString('base64'),
    KEY.toString('base64').replace('=', ''),
  ])('takes %s', (value) => {
    expect(load({ GANTRY_MASTER_KEY: value }).masterKey).toEqual(KEY);
  });

  it('says that it is required with a database of somebody else', () => {
    expect(fault({ GANTRY_MASTER_KEY: undefined })).toBe(
      'GANTRY_MASTER_KEY: required with DATABASE_URL, expected 32 bytes as base64 or as 64 hex digits',
    );
  });

  it.each(['short', 'a'.repeat(63), 'g'.repeat(64), Buffer.alloc(31).toString('base64'), `${KEY.toString('base64')}!`])(
    'refuses %s without telling it',
    (value) => {
      expect(fault({ GANTRY_MASTER_KEY: value })).toBe(
        'GANTRY_MASTER_KEY: expected 32 bytes as base64 or as 64 hex digits',
      );
    },
  );
});

describe('GANTRY_ADMIN_TOKEN', () => {
  it('takes 16 printable characters', () => {
    expect(load({ GANTRY_ADMIN_TOKEN: '!234567890abcde~' }).adminToken).toBe('!234567890abcde~');
  });

  it.each(['123456789012345', 'with a space in it', 'with-an-ümlaut-in-it'])(
    'refuses %s without telling it',
    (value) => {
      expect(fault({ GANTRY_ADMIN_TOKEN: value })).toBe(
        'GANTRY_ADMIN_TOKEN: expected 16 or more printable ASCII characters without spaces',
      );
    },
  );
});

describe('EGRESS_ALLOW', () => {
  it('takes hosts with port and networks', () => {
    expect(
      load({ EGRESS_ALLOW: '127.0.0.1:9301, Internal.example:80,[::1]:9301,10.0.0.0/8,fd00::/8' }).egressAllow,
    ).toEqual(['127.0.0.1:9301', 'internal.example:80', '[::1]:9301', '10.0.0.0/8', 'fd00::/8']);
  });

  it.each(['localhost', 'x:0', 'x:99999', 'http://x:80', '10.0.0.0/33', '10/8', 'a:80,,b:80'])(
    'refuses %s',
    (value) => {
      expect(fault({ EGRESS_ALLOW: value })).toMatch(
        /^EGRESS_ALLOW: expected a comma list of host:port or CIDR, got "/,
      );
    },
  );
});

describe('ALLOWED_ORIGINS', () => {
  it('replaces the defaults, and takes * when it is written', () => {
    expect(load({ ALLOWED_ORIGINS: 'https://App.example.com,http://localhost:5173/' }).allowedOrigins).toEqual([
      'https://app.example.com',
      'http://localhost:5173',
    ]);
    expect(load({ ALLOWED_ORIGINS: '*' }).allowedOrigins).toEqual(['*']);
  });

  it('follows PUBLIC_URL and ADMIN_URL, and adds loopback only while HOST is loopback', () => {
    const urls = { PUBLIC_URL: 'https://mcp.example.com/gantry', ADMIN_URL: 'https://console.example.com' };
    expect(load({ ...urls, HOST: '0.0.0.0' }).allowedOrigins).toEqual([
      'https://console.example.com',
      'https://mcp.example.com',
    ]);
    expect(load({ ...urls, HOST: 'localhost', PORT: '5000' }).allowedOrigins).toContain('http://127.0.0.1:5000');
  });

  it.each(['example.com', 'null', 'https://x/path', 'chrome-extension://abc'])('refuses %s', (value) => {
    expect(fault({ ALLOWED_ORIGINS: value })).toMatch(/^ALLOWED_ORIGINS: expected a comma list of origins/);
  });
});

describe('ALLOWED_HOSTS', () => {
  it('has the host of PUBLIC_URL beside loopback', () => {
    expect(load({ PUBLIC_URL: 'https://mcp.example.com' }).allowedHosts).toContain('mcp.example.com');
  });

  it('takes names and addresses', () => {
    expect(load({ ALLOWED_HOSTS: 'MCP.example.com, ::1,[::2],10.0.0.1' }).allowedHosts).toEqual([
      'mcp.example.com',
      '[::1]',
      '[::2]',
      '10.0.0.1',
    ]);
  });

  it.each(['x:80', 'http://x', 'a b', '*'])('refuses %s', (value) => {
    expect(fault({ ALLOWED_HOSTS: value })).toMatch(/^ALLOWED_HOSTS: expected a comma list of host names without port/);
  });
});

describe('TRUSTED_PROXIES', () => {
  it('takes networks and single addresses', () => {
    expect(load({ TRUSTED_PROXIES: '10.0.0.0/8,192.0.2.1,::1,fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.0/8',
      '192.0.2.1/32',
      '::1/128',
      'fd00::/8',
    ]);
  });

  it.each(['10.0.0.0/33', 'proxy', '10/8', '1.2.3.4/', '*', '010.0.0.1'])('refuses %s', (value) => {
    expect(fault({ TRUSTED_PROXIES: value })).toMatch(
      /^TRUSTED_PROXIES: expected a comma list of addresses or CIDRs, got "/,
    );
  });
});

describe('NODE_ROLE', () => {
  it.each([
    ['all', 'all'],
    ['api', 'api'],
    ['API', 'api'],
  ])('serves %s', (value, role) => {
    expect(load({ NODE_ROLE: value }).role).toBe(role);
  });

  it('is a worker only beside others, which hear it over Redis', () => {
    expect(load({ NODE_ROLE: 'worker', REDIS_URL: 'redis://x' }).role).toBe('worker');
    expect(fault({ NODE_ROLE: 'worker' })).toBe(
      'NODE_ROLE: a worker answers callers of other nodes over Redis, which needs REDIS_URL',
    );
  });

  it('refuses a role that does not exist', () => {
    expect(fault({ NODE_ROLE: 'boss' })).toBe('NODE_ROLE: expected one of all, api, worker, got "boss"');
  });
});

describe('LIMIT_IDEMPOTENCY_MS', () => {
  it('is not above the time that a job is kept, and follows that where it is not set', () => {
    expect(load({ LIMIT_JOB_RETENTION_MS: '5000' }).limits.idempotencyMs).toBe(5_000);
    expect(fault({ LIMIT_JOB_RETENTION_MS: '5000', LIMIT_IDEMPOTENCY_MS: '6000' })).toBe(
      'LIMIT_IDEMPOTENCY_MS: expected at most LIMIT_JOB_RETENTION_MS, which is 5000: a key is forgotten with its job',
    );
  });
});

describe('REDIS_URL', () => {
  it('takes a server, or the nodes of a cluster', () => {
    expect(load().redisUrls).toBeUndefined();
    expect(load({ REDIS_URL: 'redis://:secret@x:6380/1' }).redisUrls).toEqual(['redis://:secret@x:6380/1']);
    expect(load({ REDIS_URL: 'redis://a:1, rediss://b:2' }).redisUrls).toEqual(['redis://a:1', 'rediss://b:2']);
  });

  it.each(['x:6379', 'http://x', 'redis://', 'redis://a,'])('refuses %s', (value) => {
    expect(fault({ REDIS_URL: value })).toMatch(/^REDIS_URL: expected a comma list of redis:/);
  });
});

describe('DEMO and GANTRY_EMBEDDED', () => {
  it('make a demo when embedded, unless told otherwise', () => {
    expect(load({ GANTRY_EMBEDDED: '1' })).toMatchObject({ embedded: true, demo: true });
    expect(load({ GANTRY_EMBEDDED: '1', DEMO: '0' }).demo).toBe(false);
    expect(load({ DEMO: '1' })).toMatchObject({ embedded: false, demo: true });
  });

  it.each(['DEMO', 'GANTRY_EMBEDDED'])('refuse other words in %s', (name) => {
    expect(fault({ [name]: 'yes' })).toBe(`${name}: expected 1 or 0, got "yes"`);
  });
});

describe('LOG_LEVEL', () => {
  it('takes a level and refuses others', () => {
    expect(load({ LOG_LEVEL: 'silent' }).logLevel).toBe('silent');
    expect(fault({ LOG_LEVEL: 'loud' })).toBe(
      'LOG_LEVEL: expected one of debug, info, warn, error, silent, got "loud"',
    );
  });
});

describe.each([
  ['SHUTDOWN_GRACE_MS', 'shutdownGraceMs', 0, '3600001'],
  ['DATABASE_GRACE_MS', 'databaseGraceMs', 1_000, '999'],
] as const)('%s', (name, field, value, outside) => {
  it('takes milliseconds', () => {
    expect(load({ [name]: String(value) })[field]).toBe(value);
  });

  it.each(['25s', '-1', '1.5', outside])('refuses %s', (wrong) => {
    expect(fault({ [name]: wrong })).toMatch(new RegExp(`^${name}: expected a whole number from \\d+ to \\d+, got "`));
  });
});

describe('NODE_URL', () => {
  it('is where the node listens, unless it is reached elsewhere', () => {
    expect(load({ HOST: '::', PORT: '4100', PUBLIC_URL: 'https://mcp.example.com' }).nodeUrl).toBe('http://[::1]:4100');
    expect(load({ NODE_URL: 'http://10.0.0.7:4000/' }).nodeUrl).toBe('http://10.0.0.7:4000');
  });
});

describe('DATA_DIR', () => {
  it('is made absolute', () => {
    expect(load({ DATA_DIR: 'some/where' }).dataDir).toBe(`${process.cwd()}/some/where`);
  });
});

describe.each([
  ['LIMIT_BODY_BYTES', 'bodyBytes', 2048],
  ['LIMIT_JSON_DEPTH', 'jsonDepth', 32],
  ['LIMIT_CALLS_PER_MINUTE', 'callsPerMinute', 10],
  ['LIMIT_CONCURRENT_CALLS', 'concurrentCalls', 10],
  ['LIMIT_SESSIONS', 'sessions', 10],
  ['LIMIT_SESSIONS_PER_KEY', 'sessionsPerKey', 10],
  ['LIMIT_LISTENS_PER_KEY', 'listensPerKey', 10],
  ['LIMIT_RESULT_BYTES', 'resultBytes', 2048],
  ['LIMIT_SLOW_READER_BYTES', 'slowReaderBytes', 2048],
  ['LIMIT_JOB_SLOTS', 'jobSlots', 4],
  ['LIMIT_CONCURRENT_JOBS', 'concurrentJobs', 4],
  ['LIMIT_QUEUED_JOBS', 'queuedJobs', 4],
  ['LIMIT_JOB_TIMEOUT_MS', 'jobTimeoutMs', 4_000],
  ['LIMIT_JOB_RETENTION_MS', 'jobRetentionMs', 4_000],
  ['LIMIT_IDEMPOTENCY_MS', 'idempotencyMs', 4_000],
] as const)('%s', (name, limit, value) => {
  it('sets its limit', () => {
    expect(load({ [name]: String(value) }).limits[limit]).toBe(value);
  });

  it.each(['0', '-1', '4MiB', '1e3', '99999999999999'])('refuses %s', (wrong) => {
    expect(fault({ [name]: wrong })).toMatch(new RegExp(`^${name}: expected a whole number from \\d+ to \\d+, got "`));
  });
});

describe('LIMIT_*', () => {
  it('refuses a name that sets nothing', () => {
    expect(fault({ LIMIT_BODY: '1' })).toMatch(
      /^LIMIT_BODY: there is no such limit, expected one of LIMIT_BODY_BYTES, /,
    );
  });
});
