import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { Visitor } from './visitor';

const tenant = '/t/acme';
const base = `${tenant}/servers/greetings`;
const tool = (name: string) => ({
  name,
  description: `Says ${name}.`,
  inputSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  template: { text: `${name}, {who}` },
});

let stack: Stack;
let visitor: Visitor;
let page: Page;
let endpoint: string;

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (name: string | RegExp) => page.locator('[role=dialog],[role=alertdialog]').filter({ hasText: name });

/** What the official client lists with this key; rejects when it is refused. */
async function toolsSeenWith(key: string): Promise<string[]> {
  const client = new Client({ name: 'daily-use', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { requestInit }));
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}
const refused = (key: string) =>
  toolsSeenWith(key).then(
    () => 'served',
    (error: Error) => (error.message.includes('The credentials are not valid') ? 'refused' : String(error)),
  );

async function chooseInRow(row: string, action: string): Promise<void> {
  await button(row).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

beforeAll(async () => {
  stack = await startStack();
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  visitor.planted.push(stack.adminToken);
  await visitor.moveIn(stack.adminToken);
  await visitor.send('POST', '/api/v1/tenants', { slug: 'acme', name: 'Acme' });
  const document = { name: 'Greetings', version: '1.0.0', tools: [tool('hello')] };
  const { server } = await visitor.send('PUT', '/api/v1/tenants/acme/servers/greetings', document);
  ({ endpoint } = server as { endpoint: string });
  await visitor.send('POST', '/api/v1/tenants/acme/servers/greetings/tools', tool('goodbye'));
});
afterAll(async () => {
  await visitor?.leave();
  await stack?.stop();
});

describe('a day at the console', () => {
  let key: string;

  it('rotates a key: the new value is shown once, the old one is refused', async () => {
    const created = await visitor.send('POST', '/api/v1/tenants/acme/keys', { name: 'Laptop', scopes: ['mcp:call'] });
    const old = String(created.key);
    visitor.planted.push(old);
    expect(await toolsSeenWith(old)).toEqual(['hello', 'goodbye']);
    await visitor.open(`${tenant}/keys`);
    await chooseInRow('Actions for the key Laptop', 'Rotate');
    await visitor.look('rotate');
    await field('Old value goes on working for').selectOption('Not at all');
    await button('Rotate key').click();
    key = await field('Key').inputValue();
    expect(key).not.toBe(old);
    await field('I stored it').check();
    await button('Done').click();
    visitor.planted.push(key);
    await visitor.look('rotated');
    expect(await toolsSeenWith(key)).toEqual(['hello', 'goodbye']);
    await expect.poll(() => refused(old), { timeout: 5_000 }).toBe('refused');
  });

  it('rolls a server back, and clients see it', async () => {
    await visitor.open(`${base}/versions`);
    await visitor.look('versions');
    await button('Roll back: Revision 1').click();
    await visitor.look('roll back');
    await dialog('Roll back to revision 1?').getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('Revision 1 is live again, as revision 3').waitFor();
    await page.getByRole('row', { name: /^3 .*You.*Live/ }).waitFor();
    await expect.poll(() => toolsSeenWith(key), { timeout: 5_000 }).toEqual(['hello']);
  });

  it('revokes a key, which ends it for clients at once', async () => {
    await visitor.open(`${tenant}/keys`);
    await chooseInRow('Actions for the key Laptop', 'Revoke');
    await dialog('Revoke the key Laptop?').waitFor();
    await visitor.look('revoke');
    await button('Revoke key').click();
    await page.getByText('Revoked the key Laptop').waitFor();
    await expect.poll(() => refused(key), { timeout: 5_000 }).toBe('refused');
    await page.getByRole('heading', { name: 'No key yet' }).waitFor();
    await visitor.look('no key any more');
  });

  it('stores, replaces and deletes a secret without ever showing it', async () => {
    const values = ['first-planted-value-41d', 'second-planted-value-9ab'];
    visitor.planted.push(...values);
    await visitor.open(`${tenant}/secrets?new=true`);
    await field('Name').fill('MAIL_TOKEN');
    await field('Value').fill(values[0]!);
    await field('Hosts').fill('mail.example.com');
    await button('Store secret').click();
    await page.getByText('Stored MAIL_TOKEN').waitFor();
    await chooseInRow('Actions for the secret MAIL_TOKEN', 'Replace');
    await visitor.look('replace a secret');
    await field('Value').fill(values[1]!);
    await button('Replace').click();
    await dialog('Replace MAIL_TOKEN').waitFor({ state: 'detached' });
    await visitor.look('replaced');
    await chooseInRow('Actions for the secret MAIL_TOKEN', 'Delete');
    await visitor.look('delete a secret');
    expect(await button('Delete secret').isDisabled()).toBe(true);
    await field('Type MAIL_TOKEN to confirm').fill('MAIL_TOKEN');
    await button('Delete secret').click();
    await page.getByRole('heading', { name: 'No secret yet' }).waitFor();
  });

  it('gives focus back to what opened a dialog', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    await visitor.send('POST', '/api/v1/tenants/acme/keys', { name: 'Desk', scopes: ['mcp:read'] });
    await visitor.open(`${tenant}/keys`);
    await chooseInRow('Actions for the key Desk', 'Revoke');
    await dialog('Revoke the key Desk?').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Actions for the key Desk');
    await field('Search keys').focus();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page/).waitFor();
    await visitor.look('palette');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Search keys');
  });

  it('goes by keyboard: palette, shortcuts, help', async () => {
    await visitor.open(tenant);
    await heading('Acme');
    // The first press may come before the page listens.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('g');
          await page.keyboard.press('k');
          return page.url();
        },
        { timeout: 15_000, interval: 500 },
      )
      .toContain(`${tenant}/keys`);
    await heading('Keys');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await visitor.look('shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/Go to a page/).fill('greetings');
    await page.getByRole('option', { name: /Greetings/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${base}`);
  });

  it('is usable at 390 px, with the rail as a drawer', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of [
      tenant,
      `${tenant}/keys`,
      `${base}/versions`,
      `${base}/tools/hello?tab=try`,
      `${base}/connect`,
    ]) {
      await visitor.open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
      await visitor.look(`${path} at 390 px`);
    }
    await visitor.open(`${tenant}/keys`);
    // What can be done with a row is in sight without scrolling sideways.
    const { x, width } = (await button('Actions for the key Desk').boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(390);
    await button('Open menu').click();
    await page.getByRole('dialog').getByRole('link', { name: 'Servers' }).click();
    await page.waitForURL(`**${tenant}/servers`);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('had no fault on the way', () => {
    expect(visitor.faults).toEqual([]);
  });
});
