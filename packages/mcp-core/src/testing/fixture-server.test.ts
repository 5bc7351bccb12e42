import { describe, expect, it } from 'vitest';
import { createMcpEndpoint } from '../create-endpoint.js';
import { fixtureSnapshot, fixtureTool, fixtureTools, Gate, text } from './fixture-server.js';
import { ScriptedClient } from './scripted-client.js';

describe('the fixture server', () => {
  it('has a tool for everything that tests provoke, each named for it (seed R3)', () => {
    const names = fixtureTools().map(({ definition }) => definition.name);
    expect(names).toEqual(
      expect.arrayContaining([
        'add',
        'boom',
        'crash',
        'unencodable',
        'progress',
        'log',
        'block',
        'count',
        'structured',
      ]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('runs what a test gives it, and holds what a test holds back (seed R3)', async () => {
    const gate = new Gate();
    const tools = [...fixtureTools(gate), fixtureTool('mine', ({ word }) => text(`said ${word}`))];
    const client = new ScriptedClient(createMcpEndpoint(), { snapshot: fixtureSnapshot(tools) });
    const mine = await client.modern('tools/call', { name: 'mine', arguments: { word: 'so' } }).finished();
    expect(mine.message.result.content).toEqual([text('said so').content[0]]);
    const held = client.modern('tools/call', { name: 'block' });
    await gate.entered();
    expect(held.done).toBe(false);
    gate.open();
    expect((await held.finished()).message.result.content).toEqual(text('let through').content);
  });
});
