import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as OfficialTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport as OfficialInterface } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { settled } from '../testing/dispatcher-pair.js';
import { RecordingTransport } from '../testing/recording-transport.js';
import { InMemoryTransport } from '../transports/in-memory/index.js';
import { JsonRpcDispatcher, PreEncoded, type Transport } from './index.js';

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'fixture', version: '1' },
};

describe('transports', () => {
  it('D9 has the shape of the official interface, in both directions', () => {
    expectTypeOf<OfficialInterface>().toExtend<Transport>();
    expectTypeOf<OfficialTransport>().toExtend<Transport>();
    expectTypeOf<InMemoryTransport>().toExtend<OfficialInterface>();
  });

  it('D9 runs two dispatchers over the official in-memory transport', async () => {
    const [left, right] = OfficialTransport.createLinkedPair();
    const server = new JsonRpcDispatcher({ side: 'server', dispatcherId: 's', transport: left });
    const client = new JsonRpcDispatcher({ side: 'client', dispatcherId: 'c', transport: right });
    await Promise.all([server.start(), client.start()]);
    server.registerHandler('echo', (params) => params);
    server.registerHandler('ready', () => new PreEncoded('{"made":"before"}'));
    expect(await client.request('echo', { x: 1 })).toEqual({ x: 1 });
    expect(await client.request('ready')).toEqual({ made: 'before' });
    await server.close();
    await expect(client.request('echo')).rejects.toMatchObject({ reason: 'TRANSPORT_CLOSED' });
  });

  it.each([
    ['the official transport', () => OfficialTransport.createLinkedPair()],
    ['our transport', () => InMemoryTransport.pair()],
  ] as const)('D9 serves the official client over %s', async (_, pair) => {
    const [left, right] = pair();
    const server = new JsonRpcDispatcher({ side: 'server', dispatcherId: 's', transport: left });
    server.registerHandler('initialize', () => initialized);
    server.registerHandler('tools/call', ({ name }) => ({ content: [{ type: 'text', text: `called ${name}` }] }));
    const client = new Client({ name: 'official', version: '1' });
    await client.connect(right);
    expect(await client.callTool({ name: 'add' })).toEqual({ content: [{ type: 'text', text: 'called add' }] });
    await client.close();
    await settled();
    expect(server.closed).toBe(true);
  });

  it('D9 starts a transport once, however often it is asked', async () => {
    const transport = new RecordingTransport();
    let starts = 0;
    transport.start = async () => void starts++;
    const dispatcher = new JsonRpcDispatcher({ side: 'server', dispatcherId: 's', transport });
    await Promise.all([dispatcher.start(), dispatcher.start()]);
    expect(starts).toBe(1);
  });

  it('D9 leaves a passive transport alone and is fed by hand', () => {
    const transport = Object.assign(new RecordingTransport(), { passive: true });
    const dispatcher = new JsonRpcDispatcher({ side: 'server', dispatcherId: 's', transport });
    dispatcher.registerHandler('ping', () => ({}));
    expect([transport.onmessage, transport.onclose, transport.onerror]).toEqual([undefined, undefined, undefined]);
    dispatcher.receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(transport.sent).toHaveLength(1);
  });
});
