import { describe, expect, it } from 'vitest';
import type { Tool, ToolOutcome } from '../protocol/types.js';
import { REVISIONS } from './revisions.js';

const server = { name: 's', version: '1', title: 'S', description: 'd', icons: [{ src: 'https://example.com/i.png' }] };
const icons = [{ src: 'https://example.com/i.png' }];
const tool: Tool = {
  name: 't',
  title: 'T',
  description: 'd',
  icons,
  inputSchema: { type: 'object', $defs: { a: {} }, additionalProperties: false },
  outputSchema: { type: 'array', items: { $ref: '#/$defs/item' }, $defs: { item: { type: 'string' } } },
  annotations: { title: 'Annotated', readOnlyHint: true },
  _meta: { 'example.com/x': 1 },
};
const outcome: ToolOutcome = {
  content: [
    { type: 'resource_link', uri: 'docs://a', name: 'a', description: 'about a', icons },
    {
      type: 'image',
      data: 'AA==',
      mimeType: 'image/png',
      _meta: { k: 1 },
      annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' },
    },
  ],
  structuredContent: ['x'],
  _meta: { 'example.com/y': 2 },
};
const textCopy = { type: 'text', text: '["x"]' };
const wrappedSchema = {
  type: 'object',
  properties: {
    result: { type: 'array', items: { $ref: '#/properties/result/$defs/item' }, $defs: { item: { type: 'string' } } },
  },
  required: ['result'],
};
const by = (name: string) => {
  const revision = REVISIONS.find((candidate) => candidate.name === name);
  if (revision === undefined) throw new Error(name);
  return revision;
};

describe('what each revision lists', () => {
  it('2026-07-28: everything, schemas verbatim (wire C27, SCH-03)', () => {
    expect(by('2026-07-28').listedTool(tool)).toEqual(tool);
  });
  it('2025-11-25: output schemas with an object at the root, local references moved along', () => {
    expect(by('2025-11-25').listedTool(tool)).toEqual({ ...tool, outputSchema: wrappedSchema });
    const objects = { ...tool, outputSchema: { type: 'object', properties: {} } };
    expect(by('2025-11-25').listedTool(objects)).toEqual(objects);
  });
  it('2025-06-18: no icons', () => {
    const { icons: _, ...rest } = tool;
    expect(by('2025-06-18').listedTool(tool)).toEqual({ ...rest, outputSchema: wrappedSchema });
  });
  it('2025-03-26: no title, icons, outputSchema or _meta', () => {
    const { name, description, inputSchema, annotations } = tool;
    expect(by('2025-03-26').listedTool(tool)).toEqual({ name, description, inputSchema, annotations });
  });
});

describe('2024-11-05', () => {
  const sound = { type: 'audio', data: 'AA==', mimeType: 'audio/wav', annotations: { priority: 1 } } as const;
  const carried = {
    type: 'resource',
    resource: { uri: 'audio:content', mimeType: 'audio/wav', blob: 'AA==' },
    annotations: { priority: 1 },
  };
  const revision = by('2024-11-05');

  it('lists tools without annotations as well (wire A6)', () => {
    const { name, description, inputSchema } = tool;
    expect(revision.listedTool(tool)).toEqual({ name, description, inputSchema });
  });
  it('carries audio as embedded resources, and all else as 2025-03-26 (wire A6)', () => {
    const { content, ...rest } = by('2025-03-26').toolResult(outcome, tool, server);
    expect(revision.toolResult(outcome, tool, server)).toEqual({ content, ...rest });
    const loud = revision.toolResult({ content: [sound] }, tool, server);
    expect(loud).toEqual({ content: [carried], isError: false });
    const prompt = revision.promptResult({ messages: [{ role: 'user', content: sound }] }, server);
    expect(prompt.messages).toEqual([{ role: 'user', content: carried }]);
  });
  it('asks nothing with audio (wire A6)', () => {
    const ask = (content: object) => ({
      method: 'sampling/createMessage' as const,
      params: { messages: [{ role: 'user', content }], maxTokens: 1 },
    });
    const id = () => 'id';
    expect(revision.questions.carried(ask(sound), id)).toBe(
      'sampling with audio needs a client of 2025-03-26 or later',
    );
    const text = ask({ type: 'text', text: 'hi' });
    expect(revision.questions.carried(text, id)).toEqual(text);
    expect(revision.questions.carried({ method: 'roots/list' }, id)).toEqual({ method: 'roots/list' });
  });
});

describe('what a tool result becomes', () => {
  it('2026-07-28: envelope, content as it is, structured content of any type', () => {
    expect(by('2026-07-28').toolResult(outcome, tool, server)).toEqual({
      resultType: 'complete',
      content: [...outcome.content, textCopy],
      isError: false,
      structuredContent: ['x'],
      _meta: { 'example.com/y': 2, 'io.modelcontextprotocol/serverInfo': server },
    });
  });
  it('2025-11-25: structured content wrapped when the schema is', () => {
    const result = by('2025-11-25').toolResult(outcome, tool, server);
    expect(result).toEqual({
      content: [...outcome.content, textCopy],
      isError: false,
      structuredContent: { result: ['x'] },
      _meta: { 'example.com/y': 2 },
    });
    const anyRoot = { ...tool, outputSchema: {} };
    const object = { ...outcome, structuredContent: { a: 1 } };
    expect(by('2025-11-25').toolResult(object, anyRoot, server).structuredContent).toEqual({ result: { a: 1 } });
    expect(by('2025-11-25').toolResult(object, { ...tool, outputSchema: undefined }, server).structuredContent).toEqual(
      { a: 1 },
    );
  });
  it('2025-06-18: the same, links without icons', () => {
    const result = by('2025-06-18').toolResult(outcome, tool, server);
    expect(result.structuredContent).toEqual({ result: ['x'] });
    expect(result.content).toEqual([
      { type: 'resource_link', uri: 'docs://a', name: 'a', description: 'about a' },
      outcome.content[1],
      textCopy,
    ]);
  });
  it('2025-03-26: links as text, no _meta and lastModified on blocks, structured content as text alone', () => {
    expect(by('2025-03-26').toolResult(outcome, tool, server)).toEqual({
      content: [
        { type: 'text', text: 'docs://a\nabout a' },
        { type: 'image', data: 'AA==', mimeType: 'image/png', annotations: { priority: 1 } },
        textCopy,
      ],
      isError: false,
      _meta: { 'example.com/y': 2 },
    });
  });
  it('leaves its input as it was', () => {
    const before = structuredClone({ outcome, tool });
    for (const revision of REVISIONS) {
      revision.toolResult(outcome, tool, server);
      revision.listedTool(tool);
    }
    expect({ outcome, tool }).toEqual(before);
  });
});

describe('the method tables', () => {
  it('name exactly what each revision serves', () => {
    const lists = ['tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read'];
    const prompts = ['prompts/list', 'prompts/get', 'completion/complete'];
    const subscribing = ['resources/subscribe', 'resources/unsubscribe'];
    const session = ['initialize', 'ping', 'logging/setLevel', ...lists, ...subscribing, ...prompts];
    expect(Object.fromEntries(REVISIONS.map(({ name, methods }) => [name, methods]))).toEqual({
      '2026-07-28': [
        'server/discover',
        ...lists,
        ...prompts,
        'subscriptions/listen',
        'tasks/get',
        'tasks/update',
        'tasks/cancel',
      ],
      '2025-11-25': [...session, 'tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel'],
      '2025-06-18': session,
      '2025-03-26': session,
      '2024-11-05': session,
    });
  });
});
