import { afterEach, describe, expect, it, vi } from 'vitest';
import { LATEST_LEGACY, MODERN } from './clients.js';
import { features } from './features.js';
import { type Answers, connectGuest, type Guest } from './guests.js';
import type { OfficialName } from './official.js';
import { useWorld } from './world.js';

const world = useWorld();
let open: Guest[] = [];
let servers = 0;

afterEach(async () => {
  for (const guest of open) await guest.close();
  open = [];
});

/** A server of its own for each test, so that none hears of another's changes. */
async function visit(name: OfficialName, answers?: Answers) {
  const slug = `features-${++servers}`;
  await world.gantry.server('acme', slug, features(world.backend.url));
  const guest = await connectGuest(name, { url: world.gantry.mcpUrl('acme', slug), key: world.key }, answers);
  open.push(guest);
  const path = `/tenants/acme/servers/${slug}`;
  const admin = async (method: string, at: string, body?: unknown) => {
    const answer = await world.gantry.admin(method, `${path}${at}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  };
  return { guest, admin };
}

const everyAnswer: Answers = {
  elicit: ({ message }) => ({ action: 'accept', content: { name: /^Last/.test(message) ? 'Lovelace' : 'Ada' } }),
  sample: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }),
  roots: () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }),
};

const eras: [OfficialName, string][] = [
  ['client 2.4, auto', MODERN],
  ['client 2.4, legacy', LATEST_LEGACY],
  ['sdk 1.32', LATEST_LEGACY],
];

/** `kb://設計/1`, as it stands in messages. */
const DESIGN = 'kb://%E8%A8%AD%E8%A8%88/1';

describe.each(eras)('%s', (name, revision) => {
  const modern = revision === MODERN;

  it('walks every list in pages of two', async () => {
    const { guest } = await visit(name);
    for (const [what, ids] of [
      ['tools', ['ask_all', 'ask_twice', 'touch']],
      ['prompts', ['greet', 'two words', 'coded', 'asks', 'breaks']],
      ['resources', ['docs://readme', DESIGN, 'docs://dot', 'docs://feed', 'docs://gone']],
      ['resourceTemplates', ['orders://{id}', 'files://{+path}', 'sums://{a}/{b}', 'asks://{what}']],
    ] as const) {
      const listed = await guest.list(what);
      expect(listed.ids).toEqual(ids);
      // One client walks the pages by itself when it is given no cursor.
      expect(name.startsWith('client') ? [1, Math.ceil(ids.length / 2)] : [Math.ceil(ids.length / 2)]).toContain(
        listed.pages,
      );
    }
  });

  it('gets prompts of every source, one whose name has a space among them (MOD-02)', async () => {
    const { guest } = await visit(name);
    const text = async (prompt: string, args?: Record<string, string>) =>
      (await guest.prompt(prompt, args)).messages[0].content.text;
    expect(await text('greet', { who: 'Ada' })).toBe('Greet Ada. ');
    expect(await text('two words')).toBe('A name with a space.');
    expect(await text('coded', { n: '7' })).toBe('n is 7');
    await expect(guest.prompt('greet', {})).rejects.toMatchObject({ code: -32602 });
    await expect(guest.prompt('nothing')).rejects.toMatchObject({ code: -32602 });
    await expect(guest.prompt('breaks')).rejects.toThrow(/no ink/);
  });

  it('reads resources of every source, one beyond ASCII among them (MOD-02)', async () => {
    const { guest } = await visit(name);
    const read = async (uri: string) => (await guest.read(uri)).contents;
    expect(await read('docs://readme')).toEqual([
      { uri: 'docs://readme', mimeType: 'text/markdown', text: '# Hi {you}' },
    ]);
    for (const uri of ['kb://設計/1', DESIGN]) expect(await read(uri)).toEqual([{ uri: DESIGN, text: 'drawn' }]);
    expect(await read('docs://dot')).toEqual([
      { uri: 'docs://dot', mimeType: 'image/gif', blob: 'R0lGODlhAQABAAAAACw=' },
    ]);
    const [feed] = await read('docs://feed');
    expect(feed).toMatchObject({ uri: 'docs://feed', mimeType: 'application/json' });
    expect(JSON.parse(feed.text)).toMatchObject({ method: 'GET', target: '/feed' });
    expect(await read('orders://1001')).toEqual([{ uri: 'orders://1001', text: 'Order 1001' }]);
    expect(JSON.parse((await read('files://a/b%20c'))[0].text).target).toBe('/files?path=a%2Fb%20c');
    expect((await read('sums://2/40'))[0].text).toBe('42');
    await expect(guest.read('docs://gone')).rejects.toThrow(/answered 410 Gone/);
    // One client calls it by the newest number in either era.
    const code = name === 'sdk 1.32' ? -32002 : -32602;
    await expect(guest.read('docs://nothing')).rejects.toMatchObject({ code });
  });

  it('completes arguments of prompts and variables of templates', async () => {
    const { guest } = await visit(name);
    expect(await guest.complete({ type: 'ref/prompt', name: 'greet' }, 'who', 'a')).toEqual(['Ada', 'Alan']);
    expect(await guest.complete({ type: 'ref/prompt', name: 'greet' }, 'why', '')).toEqual([]);
    expect(await guest.complete({ type: 'ref/resource', uri: 'orders://{id}' }, 'id', '1')).toEqual(['1001', '1002']);
  });

  it('hears of the resources it watches, by hand and from a tool, and of no other', async () => {
    const { guest, admin } = await visit(name);
    await guest.watch(['docs://readme', 'orders://1001']);
    const updated = (uri: string) =>
      guest.heard.first(
        `an update of ${uri}`,
        ({ method, params }) => method.endsWith('updated') && params.uri === uri,
        {
          ms: 500,
        },
      );
    // Whether its stream is open yet is the client's own affair, so it is told until it hears.
    await vi.waitFor(
      async () => {
        await admin('POST', '/notify', { resourceUpdated: 'docs://readme' });
        await updated('docs://readme');
      },
      { timeout: 15_000, interval: 1 },
    );
    await admin('POST', '/notify', { resourceUpdated: 'docs://feed' });
    await guest.call('touch', { uri: 'orders://1001' });
    await updated('orders://1001');
    const uris = guest.heard.all.filter(({ method }) => method.endsWith('updated')).map(({ params }) => params.uri);
    expect(new Set(uris)).toEqual(new Set(['docs://readme', 'orders://1001']));
  });

  it('hears of no resource that it watches no more', async () => {
    const { guest, admin } = await visit(name);
    await guest.watch(['docs://readme']);
    await guest.watch([]);
    await vi.waitFor(
      async () => {
        await admin('POST', '/notify', { resourceUpdated: 'docs://readme' });
        await admin('POST', '/notify', { listChanged: ['prompts'] });
        await guest.heard.first('a list change', ({ method }) => method.endsWith('prompts/list_changed'), { ms: 500 });
      },
      { timeout: 15_000, interval: 1 },
    );
    expect(guest.heard.all.filter(({ method }) => method.endsWith('updated'))).toEqual([]);
  });

  it('hears of each list that an edit changes, and finds the change in it', async () => {
    const { guest, admin } = await visit(name);
    await guest.watch([]);
    let made = 0;
    const edits = [
      ['prompts', 'prompts', () => ({ name: `p${++made}`, messages: [] })],
      ['resources', 'resources', () => ({ uri: `made://${++made}`, name: 'R', text: 'made' })],
      ['resourceTemplates', 'resources', () => ({ uriTemplate: `made://${++made}/{x}`, name: 'T', text: '{x}' })],
    ] as const;
    for (const [list, kind, make] of edits) {
      const from = guest.heard.all.length;
      await vi.waitFor(
        async () => {
          await admin('POST', `/${list}`, make());
          await guest.heard.first(`a change of ${list}`, () => true, { from, ms: 500 });
        },
        { timeout: 15_000, interval: 1 },
      );
      const methods = guest.heard.all.slice(from).map(({ method }) => method);
      expect(new Set(methods)).toEqual(new Set([`notifications/${kind}/list_changed`]));
      expect((await guest.list(list)).ids.at(-1)).toMatch(new RegExp(`${made}`));
    }
    expect((await guest.read('made://3/x')).contents[0].text).toBe('x');
  });

  it('is asked by a tool, a prompt and a resource, each question once', async () => {
    const asked: string[] = [];
    const { guest } = await visit(name, {
      elicit: (params) => {
        asked.push(params.message);
        return (everyAnswer.elicit as NonNullable<Answers['elicit']>)(params);
      },
      sample: (params) => {
        asked.push(params.messages[0].content.text ?? params.messages[0].content[0].text);
        return (everyAnswer.sample as NonNullable<Answers['sample']>)(params);
      },
      roots: () => {
        asked.push('roots');
        return (everyAnswer.roots as NonNullable<Answers['roots']>)();
      },
    });
    const three = ['Say hi', 'Who?', 'roots'];
    expect((await guest.call('ask_all')).content[0].text).toBe('Ada hi 1');
    expect(asked.splice(0).sort()).toEqual(three);
    expect((await guest.prompt('asks')).messages[0].content.text).toBe('Ada');
    expect(asked.splice(0).sort()).toEqual(three);
    expect((await guest.read('asks://order')).contents[0].text).toBe('order for Ada');
    expect(asked.splice(0).sort()).toEqual(three);
    const at = `${servers}`;
    expect((await guest.call('ask_twice', { at })).content[0].text).toBe('Ada Lovelace 1');
    expect(asked).toEqual(['First?', 'Last, Ada?']);
    expect(world.backend.count(`/paid/${at}`)).toBe(1);
  });

  it('that cannot be asked is told so', async () => {
    const { guest } = await visit(name);
    const called = guest.call('ask_all');
    if (modern) await expect(called).rejects.toMatchObject({ code: -32021 });
    else
      expect(await called).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/elicitation/) }] });
  });
});

describe.each(['client 2.4, legacy', 'sdk 1.32'] as const)('%s', (name) => {
  it('hears messages by hand that its log level lets through', async () => {
    const { guest, admin } = await visit(name);
    await guest.setLevel('error');
    await vi.waitFor(
      async () => {
        await admin('POST', '/notify', { message: { level: 'info', data: 'low' } });
        await admin('POST', '/notify', { message: { level: 'error', logger: 'shop', data: { closed: true } } });
        await guest.heard.first('a message', ({ method }) => method === 'notifications/message', { ms: 500 });
      },
      { timeout: 15_000, interval: 1 },
    );
    const messages = guest.heard.all.map(({ params }) => params);
    expect(messages[0]).toMatchObject({ level: 'error', logger: 'shop', data: { closed: true } });
    expect(messages.filter(({ level }) => level === 'info')).toEqual([]);
  });
});
