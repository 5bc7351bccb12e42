import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from './stack';
import { person, Visitor } from './visitor';

const tenant = '/t/acme';

let stack: Stack;
let visitor: Visitor;
let page: Page;

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function signIn(password = person.password): Promise<void> {
  await field('E-mail').fill(person.email);
  await field('Password').fill(password);
  await button('Sign in').click();
}

/** Leaves a cookie behind that the API knows no session for. */
async function spoilCookie(): Promise<void> {
  const [cookie] = await page.context().cookies();
  await page.context().addCookies([{ ...cookie!, value: 'gone' }]);
}

beforeAll(async () => {
  stack = await startStack();
  visitor = await Visitor.arrive(stack.consoleUrl);
  page = visitor.page;
  await visitor.moveIn(stack.adminToken);
  await visitor.send('POST', '/api/v1/tenants', { slug: 'acme', name: 'Acme' });
});
afterAll(async () => {
  await visitor?.leave();
  await stack?.stop();
});

describe('the way in and out', () => {
  it('leads from a session that has ended through the sign-in and back', async () => {
    await spoilCookie();
    await visitor.open(`${tenant}/keys?state=all`);
    await page.waitForURL('**/login?expired=1&next=**');
    await page.getByText('Your session has ended').waitFor();
    await visitor.look('expired');
    await signIn();
    await page.waitForURL(`**${tenant}/keys?state=all`);
    await visitor.open(`${tenant}/calls`);
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await spoilCookie();
    visitor.expectStatus(401);
    await button('Refresh').click();
    await page.waitForURL('**/login?expired=1&next=**');
    await signIn();
    await page.waitForURL(`**${tenant}/calls`);
  });

  it('signs out for good', async () => {
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    await visitor.look('sign-in');
    expect(await page.context().cookies()).toEqual([]);
    visitor.expectStatus(404);
    await visitor.open('/setup');
    await heading('Not here');
    await visitor.look('no set-up any more');
  });

  it('says in place that a password is wrong, and goes on with the right one', async () => {
    await visitor.open(tenant);
    await page.waitForURL('**/login?next=%2Ft%2Facme');
    visitor.expectStatus(401);
    await signIn('wrong');
    await page.getByText('E-mail or password is wrong').waitFor();
    await visitor.look('a wrong password');
    await signIn();
    await page.waitForURL(`**${tenant}`);
  });

  it('says in place that an address is locked', async () => {
    await page.context().clearCookies();
    await visitor.open('/login');
    await field('E-mail').fill('mallory@example.com');
    await field('Password').fill('guess');
    const locked = page.getByText('Locked after too many attempts');
    for (let attempt = 0; attempt < 10; attempt += 1) {
      visitor.expectStatus(401);
      const answered = page.waitForResponse('**/api/session');
      await button('Sign in').click();
      await answered;
      await page.getByText('E-mail or password is wrong').waitFor();
      await expect.poll(() => button('Sign in').isEnabled()).toBe(true);
    }
    visitor.expectStatus(429);
    await button('Sign in').click();
    await locked.waitFor();
    await visitor.look('a locked address');
    expect(visitor.faults).toEqual([]);
  });
});
