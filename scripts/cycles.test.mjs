import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkImports } from './lib/check-imports.mjs';
import { importsOf } from './lib/imports.mjs';

let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gantry-cycles-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What is reported about a tree of files. */
function check(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkImports(root).faults;
}

const core = (path) => `packages/mcp-core/src/${path}`;
const api = (path) => `apps/api/src/${path}`;

describe('importsOf', () => {
  it('finds every kind of import, and none in comments and strings', () => {
    const source = `
      import a, { type b } from './a.js'; // import './no.js'
      import type { c } from "c";
      import './side.js';
      export * from './again.js';
      /* import './no.js' */
      const text = "import './no.js'", more = \`from './no.js'\`;
      const d = await import('./lazy.js');
      import {
        e,
      } from './many.js';`;
    expect(importsOf(source).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['./a.js', false],
      ['c', true],
      ['./side.js', false],
      ['./again.js', false],
      ['./lazy.js', false],
      ['./many.js', false],
    ]);
    expect(importsOf(source).map(({ line }) => line)).toEqual([2, 3, 4, 5, 8, 9]);
  });
});

describe('checkImports', () => {
  it('lets a tree pass whose arrows all point the right way', () => {
    expect(
      check({
        [core('jsonrpc/codec.ts')]: `import { x } from '../ports/clock.js';`,
        [core('ports/clock.ts')]: '',
        [core('dispatch/methods/tools.ts')]: `import { x } from '../../wire/rev/a.js';`,
        [core('wire/rev/a.ts')]: `import { x } from '../../protocol/b.js';`,
        [core('protocol/b.ts')]: '',
        [core('testing/all.ts')]: `import '../dispatch/methods/tools.js'; import '@modelcontextprotocol/client';`,
        [api('modules/keys/keys.service.ts')]: `import { x } from '../tenants/tenants.service.js';`,
        [api('modules/tenants/tenants.service.ts')]: `import { x } from './tenants.repository.js';`,
        [api('modules/tenants/tenants.repository.ts')]: `import pg from 'pg';`,
        [api('config/load.ts')]: 'export const env = process.env;',
        [api('app.module.ts')]: `import './modules/keys/keys.service.js'; import './gateway/route.js';`,
        [api('gateway/route.ts')]: `import '@gantry/mcp-core';`,
      }),
    ).toEqual([]);
  });

  it.each([
    ['an arrow back in mcp-core', core('jsonrpc/a.ts'), '../dispatch/b.js', 'jsonrpc may not import dispatch'],
    ['product code that sees testing', core('sessions/a.ts'), '../testing/b.js', 'nothing sees testing'],
    [
      'an official MCP package in mcp-core',
      core('wire/a.ts'),
      '@modelcontextprotocol/server',
      'no official MCP package',
    ],
    [
      'an official MCP package in the API',
      api('gateway/a.ts'),
      '@modelcontextprotocol/sdk/types.js',
      'no official MCP',
    ],
    ['a framework in mcp-core', core('transports/a.ts'), 'fastify', 'knows no framework'],
    ['contracts with logic of others', 'packages/contracts/src/a.ts', 'pg', 'contracts knows zod and nothing else'],
    ['config that knows a module', api('config/a.ts'), '../modules/keys/b.js', 'config may not import modules'],
    [
      'somebody who imports the gateway',
      api('modules/tools/a.ts'),
      '../../gateway/b.js',
      'modules may not import gateway',
    ],
    ['a module that looks to the right', api('modules/tenants/a.ts'), '../keys/b.js', 'tenants may not import keys'],
    ['modules of one rank', api('modules/keys/a.ts'), '../secrets/b.js', 'keys may not import secrets'],
    ["another module's repository", api('modules/tools/a.ts'), '../keys/keys.repository.js', 'reached by its service'],
    ['a service that knows Prisma', api('modules/keys/a.service.ts'), '@prisma/client', 'only infra and repositories'],
    [
      'a service that knows pg',
      api('modules/keys/a.service.ts'),
      'pg',
      'only infra and repositories know Prisma and pg',
    ],
    ['a console that knows the API', 'apps/admin/lib/a.ts', '@gantry/api', 'the console knows contracts only'],
    ['data that knows a screen', 'apps/admin/data/a.ts', '@/app/b', 'data may not import app'],
  ])('reports %s', (_, from, specifier, words) => {
    const faults = check({ [from]: `\nimport { x } from '${specifier}';\n` });
    expect(faults).toHaveLength(1);
    expect(faults[0].startsWith(`${from}:2: `)).toBe(true);
    expect(faults[0]).toContain(words);
  });

  it('reports who reads the environment after config, and not who only writes about it', () => {
    const faults = check({
      [api('common/a.ts')]: `// process.env\nconst text = 'process.env';\nconst port = process.env.PORT;`,
      [api('common/b.ts')]: `import { env } from 'node:process';`,
    });
    expect(faults.map((fault) => fault.split(': ')[0])).toEqual([`${api('common/a.ts')}:3`, `${api('common/b.ts')}:1`]);
  });

  it('reports a circle of imports, and not one of types alone', () => {
    expect(
      check({
        [core('protocol/a.ts')]: `import { b } from './b.js';`,
        [core('protocol/b.ts')]: `import { c } from './c.js';`,
        [core('protocol/c.ts')]: `import { a } from './a.js';`,
        [core('wire/a.ts')]: `import type { b } from './b.js';`,
        [core('wire/b.ts')]: `import { a } from './a.js';`,
      }),
    ).toEqual([
      `${core('protocol/a.ts')}:1: a circle of imports: ${['a', 'b', 'c', 'a'].map((name) => core(`protocol/${name}.ts`)).join(' → ')}`,
    ]);
  });

  it('asks nothing of tests', () => {
    expect(
      check({ [core('jsonrpc/a.test.ts')]: `import '@modelcontextprotocol/client'; import '../dispatch/b.js';` }),
    ).toEqual([]);
  });
});
