import { existsSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Who sets up the installation. */
export const person = { email: 'ada@example.com', password: 'a crane above the yard' };

/** A person in a browser, whose console, requests and page are watched all the way. */
export class Visitor {
  readonly faults: string[] = [];
  /** Origins beside the console's that its pages may reach. */
  readonly allowed = new Set<string>();
  readonly #awaited = new Map<number, number>();

  private constructor(
    readonly browser: Browser,
    readonly page: Page,
    readonly origin: string,
    /** Values that must be seen nowhere but where a test looks at them. */
    readonly planted: string[] = [],
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#hear(message.text(), message.location().url);
    });
    page.on('pageerror', (error) => this.faults.push(`page error: ${error}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (
        url.origin !== origin &&
        !this.allowed.has(url.origin) &&
        url.protocol !== 'data:' &&
        url.protocol !== 'blob:'
      )
        this.faults.push(`foreign origin: ${url.href}`);
    });
  }

  static async arrive(origin: string): Promise<Visitor> {
    const executablePath = process.env.CHROMIUM_PATH || candidates.find((path) => existsSync(path));
    if (!executablePath) throw new Error('Chromium is missing: install it, or name it in CHROMIUM_PATH');
    const browser = await chromium.launch({
      executablePath,
      args: process.getuid?.() === 0 ? [...quiet, '--no-sandbox'] : quiet,
    });
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    return new Visitor(browser, await context.newPage(), origin);
  }

  /** Goes to a page and waits until it answers to keys and clicks. */
  async open(path: string): Promise<void> {
    await this.page.goto(path);
    await this.#alive();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#alive();
  }

  /** React marks the elements it has taken over; before that a page only looks ready. */
  async #alive(): Promise<void> {
    await this.page.waitForFunction(() => {
      const main = document.getElementById('main');
      return main !== null && Object.keys(main).some((key) => key.startsWith('__react'));
    });
  }

  /** Becomes the first operator, signed in, without walking through the form. */
  async moveIn(adminToken: string): Promise<void> {
    await this.open('/setup');
    await this.send('POST', '/api/setup', { ...person, name: 'Ada', adminToken });
  }

  /** Calls the console's own API as its pages do; gives the JSON of the answer. */
  async send(method: string, path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await this.page.evaluate(
      async ([verb, url, text]) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(url!, { method: verb, headers, body: text });
        return { status: response.status, text: await response.text() };
      },
      [method, path, JSON.stringify(body)],
    );
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === '' ? {} : JSON.parse(answer.text);
  }

  /** The next answer with this status is part of the story; the browser's own complaint about it is no fault. */
  expectStatus(status: number): void {
    this.#awaited.set(status, (this.#awaited.get(status) ?? 0) + 1);
  }

  #hear(text: string, url: string): void {
    const status = Number(/status of (\d{3})/.exec(text)?.[1]);
    const left = this.#awaited.get(status) ?? 0;
    if (left > 0) this.#awaited.set(status, left - 1);
    else this.faults.push(`console: ${text} (${url})`);
  }

  /** Looks at the page as it stands: axe in both themes, one h1, no fault so far, no planted value. */
  async look(where: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page: this.page }).withTags(axeTags).analyze();
      const found = violations.map(
        (entry) => `${entry.id}: ${entry.nodes.map((node) => node.target.join(' ')).join(', ')}`,
      );
      expect(found, `axe on ${where}, ${colorScheme}`).toEqual([]);
    }
    expect(await this.page.locator('h1').count(), `h1 on ${where}`).toBe(1);
    expect(this.faults, `faults up to ${where}`).toEqual([]);
    const seen = (await this.page.content()) + this.page.url();
    expect(
      this.planted.filter((value) => seen.includes(value)),
      `planted values on ${where}`,
    ).toEqual([]);
  }

  async leave(): Promise<void> {
    await this.browser.close();
  }
}
