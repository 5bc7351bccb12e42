import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { Visitor } from './visitor';

const tool = (name: string, source: string) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  execution: 'job',
  code: { source: `export default async (args, ctx) => { ${source} }` },
});
const report = tool(
  'report',
  'for (let step = 1; step <= 600; step += 1) { ctx.progress(step, 600); await ctx.sleep(100); } return "reported";',
);
const breaks = tool('breaks', 'throw new Error("The press has jammed");');

let stack: Stack;
let visitor: Visitor;
let page: Page;
let key: string;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (name: string | RegExp) => page.locator('[role=alertdialog]').filter({ hasText: name });
const row = (name: string | RegExp) => page.getByRole('row', { name });

/** Calls a tool as a client that takes a task for an answer; gives the task's id. */
async function call(name: string): Promise<string> {
  const version = '2026-07-28';
  const response = await fetch(`${stack.nodeUrls[0]}/mcp/acme/desk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: { password: 'not to be seen', note: 'to be seen' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
        },
      },
    }),
  });
  const { result } = (await response.json()) as { result: { taskId: string } };
  return result.taskId;
}

beforeAll(async () => {
  stack = await startStack();
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  visitor.planted.push(stack.adminToken);
  await visitor.moveIn(stack.adminToken);
  for (const slug of ['acme', 'other']) await visitor.send('POST', '/api/v1/tenants', { slug, name: slug });
  await visitor.send('PUT', '/api/v1/tenants/acme/servers/desk', {
    name: 'Desk',
    version: '1.0.0',
    tools: [report, breaks],
  });
  key = ((await visitor.send('POST', '/api/v1/tenants/acme/keys', { name: 'desk' })) as { key: string }).key;
});
afterEach(() => expect(visitor.faults).toEqual([]));
afterAll(async () => {
  await visitor?.leave();
  await stack?.stop();
});

describe('jobs in the console', () => {
  it('show up by themselves, and how far they have come', async () => {
    await visitor.open('/t/acme/jobs');
    await page.getByText('No jobs yet').waitFor();
    await call('report');
    await row(/report/)
      .getByText('Running')
      .waitFor();
    await row(/report/)
      .getByRole('progressbar')
      .waitFor();
    expect(await page.getByText('No workers take jobs').count()).toBe(0);
  });

  it('are looked at one by one, without what is secret', async () => {
    await page.getByRole('link', { name: 'report' }).first().click();
    await heading('report');
    await page.getByText('Attempt 1').waitFor();
    const shown = page.getByRole('region', { name: 'Arguments' }).first();
    expect(await shown.textContent()).toContain('to be seen');
    expect(await shown.textContent()).not.toContain('not to be seen');
  });

  it('are cancelled where they run, after a word about what that does', async () => {
    await button('Cancel job').click();
    await dialog(/Its work is stopped/)
      .getByRole('button', { name: 'Cancel job' })
      .click();
    await page.getByText('Cancelled').first().waitFor();
  });

  it('run again as new jobs', async () => {
    const before = page.url();
    await button('Run again').click();
    await dialog(/does once more|it does once more|once more/)
      .getByRole('button', { name: 'Run again' })
      .click();
    await page.waitForURL((url) => url.href !== before && url.pathname.startsWith('/t/acme/jobs/'));
    await page.getByText('Running').first().waitFor();
    await button('Cancel job').click();
    await dialog(/Its work is stopped/)
      .getByRole('button', { name: 'Cancel job' })
      .click();
    await page.getByText('Cancelled').first().waitFor();
  });

  it('are found by the words of their error', async () => {
    await call('breaks');
    await visitor.open('/t/acme/jobs');
    await row(/breaks/)
      .getByText('Failed', { exact: true })
      .waitFor();
    await page.getByLabel('Search id, tool or error').fill('press has JAMMED');
    await page.waitForURL(/q=/);
    await row(/breaks/).waitFor();
    await expect.poll(() => row(/report/).count()).toBe(0);
  });

  it('are nobody else’s', async () => {
    const id = await call('breaks');
    await visitor.open('/t/other/jobs');
    await page.getByText('No jobs yet').waitFor();
    visitor.expectStatus(404);
    await visitor.open(`/t/other/jobs/${id}`);
    await page.getByText('There is no such job').waitFor();
  });

  it('are readable for everybody', async () => {
    await visitor.open('/t/acme/jobs');
    await row(/breaks/)
      .first()
      .waitFor();
    await visitor.look('jobs');
  });
});
