import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDockerfile, parseDockerignore } from './lib/dockerfile.mjs';
import { filesBelow, runStage } from './lib/image-steps.mjs';
import { ROOT } from './lib/paths.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const ignored = parseDockerignore(read('.dockerignore'));
const stage = (name) => stages.find((one) => one.name === name);
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

describe('the Dockerfile', () => {
  it('copies only what is there and is let in', () => {
    const copied = stages.flatMap(({ steps }) => steps.filter(({ from, sources }) => sources && !from));
    for (const source of copied.flatMap(({ sources }) => sources)) {
      expect([source, existsSync(join(ROOT, source)), ignored(source)]).toEqual([source, true, false]);
    }
  });

  it('copies from stages that are there', () => {
    const from = stages.flatMap(({ steps }) => steps.flatMap((step) => step.from ?? []));
    expect(from.filter((name) => stage(name) === undefined)).toEqual([]);
  });

  it('has the manifest of every workspace, so that npm ci agrees with the lock file', () => {
    const manifests = tracked.filter((path) => /^(apps|packages)\/[^/]+\/package\.json$/.test(path));
    const copied = stage('manifests').steps.flatMap(({ sources = [] }) => sources);
    expect(copied).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', ...manifests]));
  });

  it.each(['api', 'admin'])('makes an image "%s" that does not run as root', (name) => {
    const { steps } = stage(name);
    const last = (instruction) => steps.findLast((step) => step.instruction === instruction);
    expect(last('USER').text).toBe('node');
    expect(last('CMD').words[0]).toBe('node');
    expect(steps.flatMap(({ values }) => Object.keys(values ?? {}))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/TOKEN|KEY|PASSWORD|URL/)]),
    );
  });

  it('takes the same Node everywhere (DEP-02)', () => {
    const bases = stages.map(({ base }) => base).filter((base) => stage(base) === undefined);
    expect(new Set(bases)).toEqual(new Set(['node:24-bookworm-slim']));
  });
});

describe('.dockerignore', () => {
  it.each([
    '.git/config',
    'node_modules/zod/package.json',
    'apps/api/node_modules/x.js',
    'apps/api/dist/main.js',
    'apps/admin/.next/build-manifest.json',
    'data/master-key',
    '.env',
    'apps/api/.env.local',
    'apps/api/src/infra/prisma/generated/client.ts',
    'apps/api/src/main.test.ts',
    'apps/api/test/wire/world.ts',
  ])('keeps %s out', (path) => expect(ignored(path)).toBe(true));

  it.each(['apps/api/src/main.ts', 'packages/mcp-core/src/index.ts', 'package-lock.json', 'prisma/migrations/x.sql'])(
    'lets %s in',
    (path) => expect(ignored(path)).toBe(false),
  );
});

describe('steps of an image', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'gantry-steps-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  function run(dockerfile, files, target = 'last', name = target) {
    const context = join(scratch, `context-${name}`);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(context, path, '..'), { recursive: true });
      writeFileSync(join(context, path), text);
    }
    const folder = join(scratch, `run-${name}`);
    const out = parseDockerignore('secret\n**/*.log\n!kept.log');
    return runStage({ stages: parseDockerfile(dockerfile), target, context, ignored: out, scratch: folder });
  }

  it('are run stage by stage, without what is ignored, in an environment of their own', () => {
    const image = run(
      `FROM x AS first
       WORKDIR /src
       ENV MADE=here
       COPY in ./
       RUN cat a.txt > both.txt && \\
           printf "$MADE$CI" >> both.txt
       FROM x AS last
       WORKDIR /app
       COPY --from=first /src/both.txt there/
       COPY kept.log ./
       USER node
       CMD ["node", "a.js"]`,
      { 'in/a.txt': 'a', 'in/secret': 's', 'in/b.log': 'l', 'kept.log': 'k' },
    );
    expect([...filesBelow(image.root)].sort()).toEqual(['app/kept.log', 'app/there/both.txt']);
    expect(readFileSync(join(image.root, 'app/there/both.txt'), 'utf8')).toBe('ahere');
    expect(image).toMatchObject({ folder: join(image.root, 'app'), user: 'node', command: ['node', 'a.js'] });
  });

  it.each([
    ['a missing source', 'FROM x AS last\nCOPY nowhere ./', /line 2: .*nowhere is not there/],
    ['a source that is ignored', 'FROM x AS last\nCOPY secret ./', /line 2: .*secret is not there, or .dockerignore/],
    ['a step that fails', 'FROM x AS last\n\nRUN echo why && false', /line 3: .*status 1\nwhy/],
    ['an instruction that is not known', 'FROM x AS last\nVOLUME /data', /line 2: VOLUME/],
  ])('name %s', (name, dockerfile, fault) => {
    expect(() => run(dockerfile, { secret: 's' }, 'last', name)).toThrow(fault);
  });
});
