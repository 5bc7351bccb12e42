import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { Visitor } from './visitor';

const base = '/t/acme/servers/desk';
const book = {
  name: 'book',
  description: 'Books a room after asking which.',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  code: {
    source: `export default async (args, ctx) => {
  const requestedSchema = {
    type: 'object',
    properties: {
      room: { type: 'string', title: 'Room', oneOf: [{ const: 'n', title: 'North' }, { const: 's', title: 'South' }] },
      seats: { type: 'integer', title: 'Seats', default: 4, minimum: 1 },
    },
    required: ['room'],
  };
  const answer = await ctx.elicit('room', { message: 'Which room on ' + args.day + '?', requestedSchema });
  if (answer.action !== 'accept') return 'No room.';
  return answer.content.room + ' for ' + answer.content.seats + ' on ' + args.day;
};
`,
  },
};
const wipe = {
  name: 'wipe',
  description: 'Clears the board.',
  annotations: { destructiveHint: true },
  inputSchema: { type: 'object' },
  template: { text: 'wiped' },
};

let stack: Stack;
let visitor: Visitor;
let page: Page;

const field = (name: string | RegExp) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const region = (name: string | RegExp) => page.getByRole('region', { name });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const dialog = (name: string | RegExp) => page.locator('[role=alertdialog]').filter({ hasText: name });

beforeAll(async () => {
  stack = await startStack();
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  visitor.planted.push(stack.adminToken);
  await visitor.moveIn(stack.adminToken);
  await visitor.send('POST', '/api/v1/tenants', { slug: 'acme', name: 'Acme' });
  const document = {
    name: 'Desk',
    version: '1.0.0',
    tools: [book, wipe],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
  const { server } = await visitor.send('PUT', '/api/v1/tenants/acme/servers/desk', document);
  visitor.allowed.add(new URL((server as { endpoint: string }).endpoint).origin);
});
afterAll(async () => {
  await visitor?.leave();
  await stack?.stop();
});

describe('prompts', () => {
  it('makes one by form and renders it as a client gets it', async () => {
    await visitor.open(`${base}/prompts`);
    await page.getByRole('heading', { name: 'No prompt yet' }).waitFor();
    await visitor.look('no prompt yet');
    await page.getByRole('link', { name: 'New prompt' }).first().click();
    await page.getByRole('link', { name: /^Messages/ }).click();
    await heading('New prompt');
    await field('Name').first().fill('greet somebody');
    await field('Text of message 1').fill('Greet {who} in {language}.');
    await page.getByText('No argument fills {language}.').waitFor();
    await button('Add argument').click();
    await field('Name').nth(2).fill('language');
    await page
      .getByLabel(/^Suggestions/)
      .nth(1)
      .fill('French, Finnish');
    await button('Create prompt').click();
    await page.waitForURL('**/prompts/greet%20somebody');
    await page.getByLabel(/^who/).fill('Ada');
    await page.getByLabel(/^language/).fill('French');
    await button('Render').click();
    await region('Messages').getByText('Greet Ada in French.').waitFor();
  });

  it('previews it beside the list, and says at the field what is wrong with it', async () => {
    await visitor.open(`${base}/prompts`);
    await button('Preview greet somebody').click();
    await page.waitForURL('**/prompts?view=greet*');
    await page.getByLabel(/^who/).fill('Alan');
    await button('Render').click();
    await region('Messages').getByText('Greet Alan in .').waitFor();
    await visitor.look('a prompt beside the list');
    await visitor.open(`${base}/prompts/greet%20somebody`);
    await field('Name').first().fill('');
    visitor.expectStatus(422);
    await page.keyboard.press('Control+s');
    await page.getByRole('alert').getByText('One thing needs to be mended').waitFor();
    await page.locator('[data-pointer="/name"] [aria-invalid]').waitFor();
    await visitor.look('a prompt with a fault');
  });

  it('deletes it after asking', async () => {
    await visitor.open(`${base}/prompts/greet%20somebody`);
    await button('Discard them').click();
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Delete prompt' }).click();
    await dialog('Delete the prompt greet somebody?').getByRole('button', { name: 'Delete prompt' }).click();
    await page.getByRole('heading', { name: 'No prompt yet' }).waitFor();
  });
});

describe('resources', () => {
  it('makes one and reads it', async () => {
    await visitor.open(`${base}/resources/new?kind=text`);
    await field('URI').fill('docs://readme');
    await field('Name').fill('Readme');
    await page.getByLabel(/^MIME type/).fill('application/json');
    await field('Text').fill('{"hello":"world"}');
    await button('Create resource').click();
    await page.waitForURL('**/resources/docs%3A%2F%2Freadme');
    await button('Read').click();
    await region('docs://readme').getByText('"hello": "world"').waitFor();
  });

  it('makes a template and reads what its variables choose', async () => {
    await visitor.open(`${base}/resources/templates/new?kind=text`);
    await field('Name').fill('Note');
    await button('Create template').click();
    await page.waitForURL('**/resources/templates/notes%3A%2F%2F%7Bid%7D');
    await page.getByLabel(/^id/).fill('7');
    await button('Read').click();
    await region('notes://7').getByText('Note 7').waitFor();
    await visitor.open(`${base}/resources`);
    await button('Preview docs://readme').click();
    await button('Read').click();
    await region('docs://readme').getByText('"hello": "world"').waitFor();
    await visitor.look('a resource beside the list');
    await page.getByRole('radio', { name: 'Templates' }).click();
    await page.getByRole('link', { name: 'notes://{id}' }).waitFor();
    await visitor.look('templates');
  });
});

describe('questions', () => {
  it('answers a tool’s question in its try-it', async () => {
    await visitor.open(`${base}/tools/book`);
    await page.getByLabel(/^day/).fill('Monday');
    await button('Run').click();
    await region('Form').getByText('Which room on Monday?').waitFor();
    await visitor.look('a question in the try-it');
    await button('Accept').click();
    await page.getByText('Needs an answer').waitFor();
    await field('Room').selectOption('South');
    await button('Accept').click();
    await region('Result').getByText('s for 4 on Monday').waitFor();
  });

  for (const [era, label] of [
    ['2026-07-28', '2026-07-28 · stateless'],
    ['2025-11-25', '2025-11-25 · session'],
  ] as const) {
    it(`answers it in the playground, as a client of ${era}`, async () => {
      const args = encodeURIComponent(JSON.stringify({ day: 'Friday' }));
      await visitor.open(`${base}/playground?tool=book&args=${args}`);
      await page.getByText('The link carries book with its arguments').waitFor();
      expect(await region('Protocol trace').getByRole('listitem').count()).toBe(0);
      await page.getByRole('radio', { name: label }).click();
      await region('Connect').getByRole('button', { name: 'Connect', exact: true }).click();
      await expect
        .poll(
          () =>
            page
              .getByLabel(/^day/)
              .inputValue()
              .catch(() => ''),
          { timeout: 20_000 },
        )
        .toBe('Friday');
      await button('Call').click();
      await region('Form').getByText('Which room on Friday?').waitFor();
      await field('Room').selectOption('North');
      await field(/^Seats/).fill('6');
      await visitor.look(`a question in the playground of ${era}`);
      await button('Accept').click();
      await region('Result').getByText('n for 6 on Friday').waitFor();
      const trace = region('Protocol trace');
      await trace
        .getByRole('button', { name: /tools\/call.*result/ })
        .first()
        .waitFor();
      await visitor.look(`playground of ${era}`);
      await field('Tool').selectOption('wipe');
      await button('Call').click();
      await dialog('Call wipe?').getByRole('button', { name: 'Call it' }).click();
      await region('Result').getByText('wiped').waitFor();
      await page.getByRole('radio', { name: 'Resources' }).click();
      await button('Read').click();
      await region('docs://readme').getByText('"hello": "world"').waitFor();
      await page.getByRole('radio', { name: 'Prompts' }).click();
      await page.getByText('This server lists no prompts.').waitFor();
      await button('Disconnect').click();
      await page.getByText('Not connected yet').waitFor();
    });
  }

  it('is usable at 390 px', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['prompts', 'resources', 'resources/docs%3A%2F%2Freadme', 'playground']) {
      await visitor.open(`${base}/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390);
      await visitor.look(`${path} at 390 px`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('had no fault on the way', () => {
    expect(visitor.faults).toEqual([]);
  });
});
