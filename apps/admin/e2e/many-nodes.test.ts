import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { Visitor } from './visitor';

const tenant = '/t/acme';
const hello = {
  name: 'hello',
  description: 'Says hello.',
  inputSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  template: { text: 'Hello, {who}' },
};
const slow = {
  name: 'slow',
  description: 'Counts for a while.',
  inputSchema: { type: 'object' },
  code: {
    source: `export default async (args, ctx) => {
  for (let step = 1; step <= 300; step += 1) {
    ctx.progress(step, 300, 'step ' + step);
    await ctx.sleep(100);
  }
  return 'counted';
};`,
  },
};

let stack: Stack;
let visitor: Visitor;
let page: Page;
let key: string;
/** Ids of the node that the console asks, and of the other one. */
let near: string;
let far: string;
const open: Client[] = [];

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (name: string | RegExp) => page.locator('[role=alertdialog]').filter({ hasText: name });
const row = (name: string | RegExp) => page.getByRole('row', { name });
const region = (name: string) => page.getByRole('region', { name, exact: true });

async function nodeId(at: number): Promise<string> {
  const response = await fetch(`${stack.nodeUrls[at]}/api/v1/nodes`, {
    headers: { authorization: `Bearer ${stack.adminToken}` },
  });
  const { items } = (await response.json()) as { items: { id: string; answering?: boolean }[] };
  return items.find(({ answering }) => answering)!.id;
}

/** An official client, connected to a node of its own choice. */
async function connect(name: string, at: number, mode: 'legacy' | 'auto') {
  const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${stack.nodeUrls[at]}/mcp/acme/desk`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  open.push(client);
  return { client, transport };
}

/** A call that runs until it is ended; resolves with how it ended. */
function runSlow(client: Client): Promise<string> {
  return client.callTool({ name: 'slow', arguments: {} }, { onprogress: () => undefined, timeout: 100_000 }).then(
    () => 'answered',
    (error: Error) => `ended: ${error.message}`,
  );
}

beforeAll(async () => {
  stack = await startStack({ nodes: 2 });
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  visitor.planted.push(stack.adminToken);
  await visitor.moveIn(stack.adminToken);
  await visitor.send('POST', '/api/v1/tenants', { slug: 'acme', name: 'Acme' });
  await visitor.send('PUT', '/api/v1/tenants/acme/servers/desk', {
    name: 'Desk',
    version: '1.0.0',
    tools: [hello, slow],
  });
  const created = await visitor.send('POST', '/api/v1/tenants/acme/keys', { name: 'Laptop', scopes: ['mcp:call'] });
  key = String(created.key);
  visitor.planted.push(key);
  [near, far] = [await nodeId(0), await nodeId(1)];
});
afterEach(async (context) => {
  if (context.task.result?.state === 'fail') console.log(await page?.locator('main').textContent());
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close().catch(() => undefined)));
  await visitor?.leave();
  await stack?.stop();
});

describe('a console over two nodes', () => {
  let session: Awaited<ReturnType<typeof connect>>;

  it('waits for clients, and shows one of each era the moment it is there, with its node', async () => {
    await visitor.open(`${tenant}/sessions`);
    await heading('Sessions');
    await page.getByRole('heading', { name: 'Nobody is connected' }).waitFor();
    await page.locator('[data-live=live]').waitFor();
    await visitor.look('no sessions');
    session = await connect('desk-session', 1, 'legacy');
    const modern = await connect('desk-stateless', 0, 'auto');
    await modern.client.listTools();
    await row(new RegExp(`desk-session 1.0.0 Session .* Laptop desk ${far}`)).waitFor();
    await row(new RegExp(`desk-stateless 1.0.0 Stateless .* Laptop desk ${near}`)).waitFor();
    await visitor.look('sessions');
  });

  it('filters over all sessions by what the URL says', async () => {
    await visitor.open(`${tenant}/sessions?era=stateless`);
    await row(/desk-stateless/).waitFor();
    expect(await row(/desk-session/).count()).toBe(0);
    await page.getByLabel('Search client, caller or id').fill('nobody at all');
    await page.getByText('Nothing matches').waitFor();
    expect(page.url()).toContain('era=stateless');
    await visitor.look('no session matches');
    await button('Clear filters').click();
    await row(/desk-session/).waitFor();
  });

  it('holds the rows still while the reader points at them', async () => {
    await row(/desk-session/).hover();
    await connect('desk-newcomer', 0, 'legacy');
    await button('Show 1 new').waitFor();
    expect(await row(/desk-newcomer/).count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).hover();
    await row(/desk-newcomer/).waitFor();
  });

  it('shows the messages of a session as they pass, on the other node', async () => {
    await page.getByRole('link', { name: 'desk-session' }).click();
    await heading('desk-session');
    await row(/from client initialize/).waitFor();
    await session.client.callTool({ name: 'hello', arguments: { who: 'Ada' } });
    await row(new RegExp(`from client tools/call hello .* OK .* ${far}`)).waitFor();
    await visitor.look('session');
    await page.getByLabel('Method').selectOption('tools/call');
    expect(await row(/initialize/).count()).toBe(0);
    await page.getByLabel('Method').selectOption('');
    const drawing = page.getByRole('application');
    await drawing.focus();
    await page.keyboard.press('+');
    await expect.poll(() => page.url()).toContain('from=');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('from=');
  });

  it('cancels a call that runs on the other node, and says who confirmed it', async () => {
    const ended = runSlow(session.client);
    const running = region('In flight').getByRole('row', { name: /slow/ });
    await running.getByText(/step \d+/).waitFor();
    await visitor.look('a call in flight');
    await button('Cancel slow').click();
    await dialog('Cancel slow?').waitFor();
    await visitor.look('cancel');
    await button('Cancel request').click();
    await page.getByText(`Cancelled slow; the node ${far} confirmed that its work has stopped`).waitFor();
    expect(await ended).toMatch(/^ended/);
    await page.getByText('Nothing is running.').waitFor();
  });

  it('ends a session that the other node holds, and its client really loses it', async () => {
    const ended = runSlow(session.client);
    await region('In flight').getByRole('row', { name: /slow/ }).waitFor();
    await button('End session').click();
    await dialog('End the session of desk-session?')
      .getByText(/1 call in flight/)
      .waitFor();
    await visitor.look('end');
    await dialog('End the session of desk-session?').getByRole('button', { name: 'End session' }).click();
    await page.getByText(new RegExp(`${far} confirmed: it let go of 1 call`)).waitFor();
    await visitor.look('ended');
    expect(await ended).toMatch(/^ended: .*The session has ended/);
    for (const url of stack.nodeUrls) {
      const answer = await fetch(`${url}/mcp/acme/desk`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': session.transport.sessionId!,
          'mcp-protocol-version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'ping' }),
      });
      expect(answer.status, url).toBe(404);
    }
    await expect(session.client.listTools()).rejects.toThrow();
    await page.getByRole('link', { name: 'All sessions' }).click();
    await row(/desk-stateless/).waitFor();
    await row(/desk-session/).waitFor({ state: 'detached' });
  });

  it('says of a session that is over that it is, with a way on', async () => {
    visitor.expectStatus(404);
    visitor.expectStatus(404);
    visitor.expectStatus(404);
    await visitor.open(`${tenant}/sessions/no-such-session`);
    await page.getByText('No such session lives').waitFor();
    await page.getByRole('link', { name: 'All sessions' }).last().waitFor();
  });

  it('drains a node by its typed name and takes it back, both as the node confirms', async () => {
    await visitor.open('/nodes');
    await heading('Nodes');
    await page.locator('[data-live=live]').waitFor();
    const card = page.getByRole('article', { name: far });
    await card.getByText('Ready', { exact: true }).waitFor();
    await page.getByText('2 of 2 ready').waitFor();
    await visitor.look('nodes');
    await card.getByRole('button', { name: 'Drain' }).click();
    expect(await button('Drain node').isDisabled()).toBe(true);
    await visitor.look('drain');
    await page.getByLabel(`Type ${far} to confirm`).fill(far);
    await button('Drain node').click();
    await page.getByText(`The node ${far} confirmed that it drains`).waitFor();
    await card.getByText('Draining', { exact: true }).waitFor();
    await page.getByText('1 of 2 ready').waitFor();
    await visitor.look('a node drains');
    await card.getByRole('link', { name: far }).click();
    await heading(far);
    await page
      .getByText(/^\d+ readings/)
      .or(page.getByRole('img', { name: /readings/ }).first())
      .first()
      .waitFor();
    await visitor.look('a node');
    await button('Undrain').click();
    await page.getByText('Ready', { exact: true }).waitFor();
  });

  it('is usable at 360 px', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    for (const path of [`${tenant}/sessions`, '/nodes', `/nodes/${far}`]) {
      await visitor.open(path);
      await page.locator('[data-live=live]').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
      await visitor.look(`${path} at 360 px`);
    }
    await visitor.open(`${tenant}/sessions`);
    await page.getByRole('link', { name: 'desk-newcomer' }).click();
    await heading('desk-newcomer');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const { x, width } = (await button('End session').boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(360);
    await visitor.look('a session at 360 px');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('had no fault on the way', () => {
    expect(visitor.faults).toEqual([]);
  });
});
