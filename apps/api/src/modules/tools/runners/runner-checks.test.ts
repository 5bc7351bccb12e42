import { httpRunnerSchema } from '@gantry/contracts';
import { describe, expect, it } from 'vitest';
import { EgressGuard } from '../../../infra/egress/index.js';
import { HttpRunner } from './http/index.js';
import { RunnerChecks } from './runner-checks.js';
import { TemplateRunner } from './template/index.js';

const secrets = { open: async () => 'unused' };
const checks = new RunnerChecks(new TemplateRunner(), new HttpRunner({ guard: new EgressGuard(), secrets }), {
  checkCodeSource: async (source) =>
    source === 'good' ? undefined : { message: 'unexpected token', line: 3, column: 7 },
});
const schema = { type: 'object', properties: { id: { type: 'string' } } };
const http = (spec: object, allow: readonly string[] = []) =>
  checks.check({ http: httpRunnerSchema.parse(spec) }, schema, allow);

describe('RunnerChecks', () => {
  it.each([
    'ftp://example.com/',
    '//example.com/',
    '{scheme}://example.com/',
    'https://{host}/',
    'https://example.com:{port}/',
    'https://a.{{secret.HOST}}/',
    'https://user:pw@example.com/',
    'https://example.com\\@evil.example/',
    'https://exa mple.com/',
    'https://example.com/{id',
    'https://example.com/{+id}',
    'https://example.com/{i d}',
    'https://[::1/',
    'http://127.0.0.1:9301/a/{id}',
    'http://2130706433/',
    'http://[::ffff:a9fe:a9fe]/',
  ])('refuses the address %s at its place', async (url) => {
    const { faults } = await http({ url });
    expect(faults.map(({ path }) => path)).toContain('/url');
  });

  it.each(['https://example.com', 'https://example.com/a{?id}', 'https://example.com/a/{id}/b'])(
    'takes the address %s',
    async (url) => {
      expect(await http({ url })).toEqual({ faults: [], warnings: [] });
    },
  );

  it('takes a private address that the tenant was granted', async () => {
    expect((await http({ url: 'http://127.0.0.1:9301/{id}' }, ['127.0.0.1:9301'])).faults).toEqual([]);
    expect((await http({ url: 'http://127.0.0.1:9302/{id}' }, ['127.0.0.1:9301'])).faults).toHaveLength(1);
  });

  it('refuses header names and values that could break the message', async () => {
    const headers = { 'Bad Name': 'x', Host: 'evil', 'X-A': 'a\r\nB: c', 'X-Ok': '{id}' };
    const { faults } = await http({ url: 'https://e.com', headers });
    expect(faults.map(({ path }) => path)).toEqual(['/headers/Bad Name', '/headers/Host', '/headers/X-A']);
  });

  it('warns of arguments that no property declares, wherever they stand', async () => {
    const { faults, warnings } = await http({
      method: 'POST',
      url: 'https://e.com/{nope}',
      query: { q: '{id}' },
      headers: { 'X-A': '{gone}' },
      body: { a: ['{lost}'] },
    });
    expect(faults).toEqual([]);
    expect(warnings.map(({ path }) => path)).toEqual(['/url', '/headers/X-A', '/body/a/0']);
    expect(warnings[0]?.message).toBe('{nope} is not a property of the input schema');
  });

  it('leaves arguments alone where the schema may declare them elsewhere', async () => {
    const open = { type: 'object', anyOf: [{ properties: { nope: {} } }] };
    const { warnings } = await checks.check({ template: { text: '{nope}' } }, open, []);
    expect(warnings).toEqual([]);
  });

  it('wants a template to be text or content, without secrets', async () => {
    const template = (spec: object) => checks.check({ template: spec }, schema, []);
    expect((await template({})).faults).toHaveLength(1);
    expect((await template({ text: 'a', content: [] })).faults).toHaveLength(1);
    expect((await template({ text: '{{secret.KEY}}' })).faults[0]?.path).toBe('/text');
    expect(await template({ text: '{"json": {"is": "no slot"}} {id}' })).toEqual({ faults: [], warnings: [] });
    expect((await template({ text: '{gone}' })).warnings[0]?.path).toBe('/text');
  });

  it('judges the messages of a prompt: their blocks, and slots that are no arguments', async () => {
    const judge = (...contents: Record<string, unknown>[]) =>
      checks.check(
        { messages: contents.map((content) => ({ role: 'user' as const, content })) },
        schema,
        [],
        'an argument of this prompt',
      );
    expect(await judge({ type: 'text', text: '{id} {{id}}' })).toEqual({ faults: [], warnings: [] });
    expect((await judge({ type: 'text', text: '{id} {who}' })).warnings).toEqual([
      { path: '/messages/0/content/text', message: '{who} is not an argument of this prompt' },
    ]);
    const { faults } = await judge(
      { type: 'text', text: 'ok' },
      { type: 'txt' },
      { type: 'image', data: '?', mimeType: 'image/png' },
      { type: 'text', text: '{{secret.KEY}}' },
    );
    expect(faults.map(({ path }) => path)).toEqual([
      '/messages/1/content/type',
      '/messages/2/content/data',
      '/messages/3/content/text',
    ]);
  });

  it("points at the line of a code tool's fault", async () => {
    expect((await checks.check({ code: { source: 'good' } }, schema, [])).faults).toEqual([]);
    expect((await checks.check({ code: { source: 'bad' } }, schema, [])).faults).toEqual([
      { path: '/source', message: 'line 3, column 7: unexpected token' },
    ]);
  });
});
