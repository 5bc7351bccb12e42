import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DemoBackend } from './demo-backend.js';

let backend: DemoBackend;
let port: number;

beforeEach(async () => {
  backend = new DemoBackend();
  port = await backend.start(0);
});
afterEach(() => backend.stop());

/** The path goes out as it is: `fetch` would mend it. */
function status(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}

it('answers a path that cannot be read, and lives on', async () => {
  for (const path of ['//', '/orders/%', '/orders/%ff', '/orders/%E0%A4%A']) {
    expect([path, await status(path)]).toEqual([path, 400]);
  }
  expect(await status('/orders/1001')).toBe(200);
});
