import { describe, expect, it } from 'vitest';
import { uriFault } from './check/uri-check.js';
import { judgeDocument, judgeItem } from './document-check.js';
import { itemKinds } from './item-kinds.js';

const described = { description: 'Says something.' };
const judgePrompt = (more: object) => judgeItem(itemKinds.prompts, { name: 'p', ...described, ...more });
const judgeResource = (more: object) =>
  judgeItem(itemKinds.resources, { uri: 'docs://a', name: 'A', ...described, ...more });
const judgeTemplate = (more: object) =>
  judgeItem(itemKinds.resourceTemplates, { uriTemplate: 'docs://{id}', name: 'A', ...described, ...more });
const pathsOf = (notes: readonly { readonly path: string }[]) => notes.map(({ path }) => path);

describe('a document with prompts, resources and templates', () => {
  it('has all its faults told in one pass, each with its place', () => {
    const { value, faults } = judgeDocument({
      name: 'x',
      prompts: [
        { name: 'twice', ...described, messages: [] },
        { name: 'twice', ...described, messages: [], code: { source: 'x' } },
        { name: 'none', ...described, extra: 1 },
      ],
      resources: [
        { uri: 'docs://a', name: 'A', ...described, text: '' },
        { uri: 'docs://a', name: 'B', ...described, blob: 'not base64' },
        { uri: 'no scheme', name: 'C', ...described, text: '', http: { url: 'https://e.com' } },
      ],
      resourceTemplates: [
        { uriTemplate: 'docs://{a}', name: 'A', ...described, text: '' },
        { uriTemplate: 'docs://{a}', name: 'B', ...described },
        { uriTemplate: 'docs://{a', name: 'C', ...described, text: '' },
      ],
    });
    expect(value).toBeUndefined();
    expect(pathsOf(faults).sort()).toEqual([
      '/prompts/1',
      '/prompts/1/name',
      '/prompts/2',
      '/prompts/2/extra',
      '/resourceTemplates/1',
      '/resourceTemplates/1/uriTemplate',
      '/resourceTemplates/2/uriTemplate',
      '/resources/1/blob',
      '/resources/1/uri',
      '/resources/2',
      '/resources/2/uri',
    ]);
    expect(faults).toContainEqual({ path: '/resources/1/uri', message: '"docs://a" is the URI of resource 0 already' });
    expect(faults).toContainEqual({
      path: '/prompts/1',
      message: 'must have exactly one source (messages, code), but has messages and code',
    });
  });

  it('keeps the difference between an empty list and none', () => {
    expect(judgeDocument({ name: 'x', prompts: [] }).value).toMatchObject({ prompts: [] });
    expect(judgeDocument({ name: 'x' }).value).not.toHaveProperty('prompts');
  });
});

describe('a prompt', () => {
  it('hands its messages on with what it declares', () => {
    const messages = [{ role: 'user', content: { type: 'text', text: '{who}' } }];
    const { runners } = judgePrompt({ arguments: [{ name: 'who' }], messages });
    expect(runners).toEqual([
      {
        path: [],
        runner: { messages },
        inputSchema: { type: 'object', properties: { who: { type: 'string' } } },
        argumentsAre: 'an argument of this prompt',
      },
    ]);
  });

  it('names no argument twice, and is described', () => {
    const { faults } = judgePrompt({ arguments: [{ name: 'a' }, { name: 'a' }], messages: [] });
    expect(faults).toEqual([{ path: '/arguments/1/name', message: '"a" is the name of argument 0 already' }]);
    expect(pathsOf(judgePrompt({ description: ' ', messages: [] }).warnings)).toEqual(['']);
  });
});

describe('a resource', () => {
  it.each(['docs://readme', 'kb://設計/1', 'urn:isbn:0451450523', 'file:///etc/x', 'https://e.com/a%20b?c#d', 'x:y'])(
    'may be at %s',
    (uri) => {
      expect(judgeResource({ uri, text: '' }).faults).toEqual([]);
    },
  );

  it.each([
    'readme',
    '//e.com/a',
    '/a',
    'docs:',
    'docs://a b',
    'docs://{id}',
    'docs://a%2',
    'C:\\x',
    '1a://b',
    'http://',
  ])('may not be at %s', (uri) => {
    expect(pathsOf(judgeResource({ uri, text: '' }).faults)).toEqual(['/uri']);
    expect(uriFault(uri)).toEqual(expect.any(String));
  });

  it('may be as long as clients can ask for it', () => {
    for (const uri of [`docs://${'a'.repeat(2_041)}`, `docs://${'設'.repeat(226)}`]) {
      expect(judgeResource({ uri, text: '' }).faults).toEqual([]);
    }
    for (const uri of [`docs://${'a'.repeat(2_042)}`, `docs://${'設'.repeat(227)}`]) {
      expect(pathsOf(judgeResource({ uri, text: '' }).faults)).toContain('/uri');
    }
  });

  it('is the same however its characters beyond ASCII are written', () => {
    const resource = (uri: string) => ({ uri, name: 'A', ...described, text: '' });
    const { faults } = judgeDocument({ name: 'x', resources: [resource('kb://é'), resource('kb://%C3%A9')] });
    expect(faults).toEqual([{ path: '/resources/1/uri', message: expect.stringContaining('resource 0 already') }]);
  });

  it('is warned of a size that is not that of its contents', () => {
    expect(judgeResource({ text: 'né', size: 3 }).warnings).toEqual([]);
    expect(pathsOf(judgeResource({ text: 'né', size: 2 }).warnings)).toEqual(['/size']);
    expect(pathsOf(judgeResource({ blob: 'aGk=', size: 4 }).warnings)).toEqual(['/size']);
  });
});

describe('a resource template', () => {
  it('completes variables that it has', () => {
    expect(judgeTemplate({ text: '', complete: { id: ['1'] } }).warnings).toEqual([]);
    expect(pathsOf(judgeTemplate({ text: '', complete: { no: ['1'] } }).warnings)).toEqual(['/complete/no']);
  });

  it('hands its text on as a template of its variables', () => {
    expect(judgeTemplate({ text: '{id} {other}' }).runners).toMatchObject([
      { path: [], runner: { template: { text: '{id} {other}' } }, inputSchema: { properties: { id: {} } } },
    ]);
  });

  it('may be as long as it can be compiled in ASCII', () => {
    expect(judgeTemplate({ uriTemplate: `kb://${'設'.repeat(112)}/{id}`, text: '' }).faults).toEqual([]);
    const { faults } = judgeTemplate({ uriTemplate: `kb://${'設'.repeat(114)}/{id}`, text: '' });
    expect(pathsOf(faults)).toEqual(['/uriTemplate']);
  });

  it('must begin with a scheme and have a variable', () => {
    for (const uriTemplate of ['{+all}', 'docs://fixed', 'docs://{a:3}', 'docs://{a}/{a}']) {
      expect(pathsOf(judgeTemplate({ uriTemplate, text: '' }).faults)).toEqual(['/uriTemplate']);
    }
  });
});
