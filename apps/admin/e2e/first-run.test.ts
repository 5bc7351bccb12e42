import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { person, Visitor } from './visitor';

const secret = 'planted-order-token-7c1f';
const base = '/t/acme/servers/orders';
const slowSource = `export default async (args, ctx) => {
  for (let step = 1; step <= args.steps; step += 1) {
    ctx.progress(step, args.steps, 'step ' + step);
    ctx.log('info', { step });
    await ctx.sleep(100);
  }
  return 'counted to ' + args.steps;
};`;

let stack: Stack;
let visitor: Visitor;
let page: Page;
let key: string;
let endpoint: string;

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const save = async (name: 'Create tool' | 'Save and publish') => {
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
};

beforeAll(async () => {
  stack = await startStack();
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  visitor.planted.push(stack.adminToken, secret);
});
afterAll(async () => {
  await visitor?.leave();
  await stack?.stop();
});

describe('from a first start to a client that calls', () => {
  it('sets up the first operator with the admin token', async () => {
    await visitor.open('/');
    await heading('Set up this installation');
    await visitor.look('set-up');
    visitor.expectStatus(401);
    visitor.expectStatus(403);
    await field('Admin token').fill('not the admin token');
    await field('Your name').fill('Ada');
    await field('E-mail').fill(person.email);
    await field('Password').fill(person.password);
    await button('Create operator and sign in').click();
    await page.getByText('The operator was not created').waitFor();
    await field('Admin token').fill(stack.adminToken);
    await button('Create operator and sign in').click();
    await page.waitForURL('**/tenants');
    await visitor.look('tenants');
    const cookies = await page.context().cookies();
    expect(cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
      { httpOnly: true, sameSite: 'Lax' },
    ]);
  });

  it('creates a tenant, whose overview shows the way', async () => {
    await button('New tenant').click();
    await field('Name').fill('Acme');
    expect(await field('Slug').inputValue()).toBe('acme');
    await visitor.look('new tenant');
    await button('Create tenant').click();
    await page.waitForURL('**/t/acme');
    await page.getByText('0 of 5 done').waitFor();
    await visitor.look('empty overview');
  });

  it('stores a secret that nobody reads again', async () => {
    await visitor.open('/t/acme/secrets');
    await visitor.look('no secrets');
    await button('New secret').first().click();
    await field('Name').fill('ORDERS_TOKEN');
    await field('Value').fill(secret);
    await field('Hosts').fill(new URL(stack.backendUrl).host);
    await button('Store secret').click();
    await page.getByText('ORDERS_TOKEN', { exact: true }).first().waitFor();
    await visitor.reload();
    await visitor.look('secrets');
  });

  it('creates a server under the slug its name proposes', async () => {
    await visitor.open('/t/acme/servers/new');
    await field('Name').fill('Orders');
    expect(await field('Slug').inputValue()).toBe('orders');
    await visitor.look('new server');
    await button('Create server').click();
    await page.waitForURL(`**${base}`);
    await heading('Orders');
    endpoint = (await page.getByRole('region', { name: 'Endpoint' }).locator('code').textContent()) ?? '';
    expect(endpoint).toMatch(/\/mcp\/acme\/orders$/);
    await visitor.look('server without tools');
  });

  it('makes an HTTP tool by form, and shows each fault at its field', async () => {
    await visitor.open(`${base}/tools/new`);
    await visitor.look('kinds of tools');
    await page.getByRole('link', { name: /^HTTP/ }).click();
    await heading('New tool');
    await page.getByLabel('Name', { exact: true }).first().fill('get_order');
    await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Looks up one order.');
    await button('Add property').click();
    await page.getByLabel('Name: field').fill('id');
    await page.getByLabel('Required').first().check();
    await page.getByRole('link', { name: 'Request' }).click();
    await field('URL').fill('ftp://{id}/');
    visitor.expectStatus(422);
    await save('Create tool');
    await page.getByText(/thing(s)? need/).waitFor();
    await expect.poll(() => field('URL').getAttribute('aria-invalid')).toBe('true');
    await visitor.look('a tool with a fault');
    await field('URL').fill(`${stack.backendUrl}/orders/{id}`);
    await page.getByLabel('Authentication').selectOption('bearer');
    await field('Secret').fill('ORDERS_TOKEN');
    await save('Create tool');
    await page.waitForURL(`**${base}/tools/get_order**`);
    await heading('get_order');
    await visitor.look('HTTP tool');
  });

  it('breaks and mends the schema as JSON without losing a keyword', async () => {
    await visitor.open(`${base}/tools/get_order`);
    const views = page.getByLabel('View of the schema');
    await views.getByRole('radio', { name: 'JSON' }).click();
    const area = page.getByRole('textbox', { name: 'Input', exact: true });
    const text = await area.inputValue();
    await area.fill(`${text.slice(0, -1)},`);
    await page.getByText(/Line \d+, column \d+/).waitFor();
    await visitor.look('a broken schema');
    await area.fill(JSON.stringify({ ...JSON.parse(text), additionalProperties: false }));
    await views.getByRole('radio', { name: 'Form' }).click();
    await page.getByLabel('Description: id').fill('Order number');
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved\. Clients see revision/).waitFor();
    await visitor.reload();
    await views.getByRole('radio', { name: 'JSON' }).click();
    const stored = JSON.parse(await area.inputValue());
    expect(stored.additionalProperties).toBe(false);
    expect(stored.properties.id.description).toBe('Order number');
  });

  it('explains a clash with somebody else’s save, and loses nothing', async () => {
    const title = page.getByRole('textbox', { name: /^Title/ });
    const clash = page.getByText('Somebody else saved this tool while you were editing');
    await visitor.open(`${base}/tools/get_order`);
    await title.fill('Mine');
    await page.evaluate(async () => {
      const path = '/api/v1/tenants/acme/servers/orders/tools/get_order';
      const theirs = await (await fetch(path)).json();
      const body = JSON.stringify({ ...theirs, description: 'Somebody else was here.' });
      await fetch(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
    });
    visitor.expectStatus(409);
    await page.keyboard.press('Control+s');
    await clash.waitFor();
    await page.getByText('Somebody else was here.').waitFor();
    await visitor.look('a clash');
    expect(await title.inputValue()).toBe('Mine');
    await button('Save mine over theirs').click();
    await clash.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('Unsaved', { exact: true }).count()).toBe(0);
    await visitor.reload();
    await expect.poll(() => title.inputValue()).toBe('Mine');
  });

  it('tries the tool, with the secret sent and not shown', async () => {
    const tryIt = page.getByRole('complementary', { name: 'Try it' });
    await tryIt.getByLabel('id', { exact: true }).fill('A-1');
    await page.keyboard.press('Control+Enter');
    const result = tryIt.getByRole('region', { name: 'Result' });
    await result.first().waitFor();
    expect(await result.first().textContent()).toContain('seen');
    await visitor.look('a result');
  });

  it('streams progress and logs of a code tool, and really cancels it', async () => {
    await visitor.open(`${base}/tools/new?kind=code`);
    await page.getByLabel('Name', { exact: true }).first().fill('count');
    await page.getByRole('textbox', { name: 'Description', exact: true }).fill('Counts, slowly.');
    await page.getByLabel('Name: name').fill('steps');
    await page.getByLabel('Type: steps').selectOption('integer');
    await page.getByLabel('Time limit (ms)').fill('300000');
    await page.getByRole('link', { name: 'Code' }).click();
    await field('Function').fill(slowSource);
    await visitor.look('code');
    await save('Create tool');
    await page.waitForURL(`**${base}/tools/count**`);
    const tryIt = page.getByRole('complementary', { name: 'Try it' });
    await tryIt.getByLabel('steps', { exact: true }).fill('5');
    await tryIt.getByRole('button', { name: /^Run/ }).click();
    await tryIt.getByText('counted to 5').waitFor();
    await tryIt.getByText('5 log lines').waitFor();
    await tryIt.getByLabel('steps', { exact: true }).fill('600');
    await tryIt.getByRole('button', { name: /^Run/ }).click();
    await tryIt.getByText(/of 600/).waitFor();
    await visitor.look('a run in progress');
    await tryIt.getByRole('button', { name: 'Cancel' }).click();
    await tryIt.getByText(/^Cancelled\. The request was closed/).waitFor();
    await visitor.open('/t/acme/calls?tool=count&status=cancelled');
    await expect
      .poll(
        async () => {
          await button('Refresh').click();
          return page.getByRole('row', { name: /count/ }).count();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(1);
    await visitor.look('calls');
  });

  it('shows a new key once', async () => {
    await visitor.open('/t/acme/keys');
    await button('New key').first().click();
    await field('Name').fill('Journey');
    await visitor.look('new key');
    await button('Create key').click();
    key = await field('Key').inputValue();
    expect(key.length).toBeGreaterThan(20);
    await visitor.look('the key, once');
    expect(await button('Done').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await field('I stored it').check();
    await button('Done').click();
    visitor.planted.push(key);
    await visitor.reload();
    await page.getByRole('cell', { name: 'Journey', exact: true }).waitFor();
    await visitor.look('keys');
  });

  it('lets the official client list and call with it', async () => {
    const client = new Client({ name: 'journey', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }));
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['get_order', 'count']);
    const progress: number[] = [];
    const result = await client.callTool(
      { name: 'count', arguments: { steps: 3 } },
      { onprogress: (step) => progress.push(step.progress) },
    );
    expect(progress).toEqual([1, 2, 3]);
    expect(result.content).toEqual([{ type: 'text', text: 'counted to 3' }]);
    await client.close();
  });

  it('hands out a curl line that works as it stands', async () => {
    await visitor.open(`${base}/connect`);
    for (const client of ['Cursor', 'VS Code', 'TypeScript', 'curl']) {
      await page.getByRole('radio', { name: client }).click();
      await visitor.look(`connect ${client}`);
    }
    const snippet = (await page.getByRole('region', { name: 'Snippet' }).textContent()) ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', snippet], {
      env: { ...process.env, GANTRY_KEY: key },
      timeout: 20_000,
    });
    expect(stdout).toContain('get_order');
  });

  it('ends the checklist with the first call from outside', async () => {
    await visitor.open('/t/acme');
    await heading('Acme');
    await page.getByRole('heading', { name: 'Recent calls' }).waitFor();
    expect(await page.getByText('From nothing to the first call').count()).toBe(0);
    for (const path of ['/t/acme/servers', `${base}/tools`, `${base}/tools?q=nothing`, `${base}/versions`, base]) {
      await visitor.open(path);
      await visitor.look(path);
    }
  });

  it('had no fault on the way', () => {
    expect(visitor.faults).toEqual([]);
  });
});
