import { describe, expect, it } from 'vitest';
import type { Prompt, PromptOutcome, Resource, ResourceOutcome, ResourceTemplate } from '../protocol/types.js';
import { REVISIONS } from './revisions.js';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const server = { name: 's', version: '1' };
const icons = [{ src: 'https://example.com/i.png' }];
const _meta = { 'example.com/x': 1 };
const lastModified = '2026-01-01T00:00:00Z';

const prompt: Prompt = {
  name: 'p',
  title: 'P',
  description: 'd',
  icons,
  arguments: [{ name: 'a', title: 'A', description: 'an a', required: true }],
  _meta,
};
const facts = { title: 'R', description: 'd', mimeType: 'text/plain', icons, _meta };
const annotations = { audience: ['user' as const], priority: 1, lastModified };
const resource: Resource = { uri: 'docs://r', name: 'r', size: 3, annotations, ...facts };
const template: ResourceTemplate = { uriTemplate: 'docs://{r}', name: 'r', annotations, ...facts };
const link = { type: 'resource_link' as const, uri: 'docs://r', name: 'r', description: 'about r', icons };
const promptOutcome: PromptOutcome = {
  description: 'made now',
  messages: [
    { role: 'user', content: link },
    { role: 'assistant', content: { type: 'text', text: 'hi', annotations, _meta } },
    { role: 'user', content: { type: 'resource', resource: { uri: 'docs://r', text: 'x', _meta } } },
  ],
  _meta,
};
const resourceOutcome: ResourceOutcome = {
  contents: [
    { uri: 'docs://r', mimeType: 'text/plain', text: 'x', _meta },
    { uri: 'docs://r', blob: 'AA==' },
  ],
  _meta,
};
const by = (name: string) => {
  const revision = REVISIONS.find((candidate) => candidate.name === name);
  if (revision === undefined) throw new Error(name);
  return revision;
};
/** As it leaves: members without a value are not there. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(value));
const shown = (name: string) => {
  const revision = by(name);
  return {
    prompt: sent(revision.listedPrompt(prompt)),
    resource: sent(revision.listedResource(resource)),
    template: sent(revision.listedResourceTemplate(template)),
    promptResult: sent(revision.promptResult(promptOutcome, server)),
    resourceResult: sent(revision.resourceResult(resourceOutcome, server)),
  };
};

describe('prompts and resources as each revision carries them', () => {
  it('2026-07-28: everything, with envelope, and cache hints on what was read (wire C20, wire C22, MOD-05)', () => {
    const signed = { ..._meta, [SERVER_INFO]: server };
    expect(shown('2026-07-28')).toEqual({
      prompt,
      resource,
      template,
      promptResult: { resultType: 'complete', ...promptOutcome, _meta: signed },
      resourceResult: {
        resultType: 'complete',
        ...resourceOutcome,
        ttlMs: 0,
        cacheScope: 'private',
        _meta: signed,
      },
    });
  });

  it('2025-11-25: everything but the envelope', () => {
    expect(shown('2025-11-25')).toEqual({
      prompt,
      resource,
      template,
      promptResult: promptOutcome,
      resourceResult: resourceOutcome,
    });
  });

  it('2025-06-18: no icons, in messages neither', () => {
    const { icons: _p, ...plainPrompt } = prompt;
    const { icons: _r, ...plainResource } = resource;
    const { icons: _t, ...plainTemplate } = template;
    const { icons: _l, ...plainLink } = link;
    const [, ...others] = promptOutcome.messages;
    expect(shown('2025-06-18')).toEqual({
      prompt: plainPrompt,
      resource: plainResource,
      template: plainTemplate,
      promptResult: { ...promptOutcome, messages: [{ role: 'user', content: plainLink }, ...others] },
      resourceResult: resourceOutcome,
    });
  });

  it('2025-03-26: no titles, icons, _meta or lastModified on items; links as text', () => {
    const plain = { description: 'd', mimeType: 'text/plain', annotations: { audience: ['user'], priority: 1 } };
    expect(shown('2025-03-26')).toEqual({
      prompt: { name: 'p', description: 'd', arguments: [{ name: 'a', description: 'an a', required: true }] },
      resource: { uri: 'docs://r', name: 'r', size: 3, ...plain },
      template: { uriTemplate: 'docs://{r}', name: 'r', ...plain },
      promptResult: {
        description: 'made now',
        messages: [
          { role: 'user', content: { type: 'text', text: 'docs://r\nabout r' } },
          {
            role: 'assistant',
            content: { type: 'text', text: 'hi', annotations: { audience: ['user'], priority: 1 } },
          },
          { role: 'user', content: { type: 'resource', resource: { uri: 'docs://r', text: 'x' } } },
        ],
        _meta,
      },
      resourceResult: {
        contents: [
          { uri: 'docs://r', mimeType: 'text/plain', text: 'x' },
          { uri: 'docs://r', blob: 'AA==' },
        ],
        _meta,
      },
    });
  });

  it('carries nothing that a runner adds on its own', () => {
    const added = { ...promptOutcome, resultType: 'task', nextCursor: 'x' };
    for (const revision of REVISIONS) {
      const result = sent(revision.promptResult(added, server));
      expect(result.nextCursor).toBeUndefined();
      expect(result.resultType).toBe(revision.era === 'stateless' ? 'complete' : undefined);
    }
  });

  it('leaves its input as it was', () => {
    const before = structuredClone({ prompt, resource, template, promptOutcome, resourceOutcome });
    for (const { name } of REVISIONS) shown(name);
    expect({ prompt, resource, template, promptOutcome, resourceOutcome }).toEqual(before);
  });
});
