import { FakeClock } from '@gantry/mcp-core/testing';
import { expect, it } from 'vitest';
import { Feeds } from './feeds.js';

it('shares a feed among those who may see the same of a matter, and with nobody else', () => {
  const feeds = new Feeds({ watch: () => () => {} } as never, new FakeClock(), () => {});
  const granted = { topic: 'jobs:acme', matter: 'jobs:1', tenantId: '1', source: () => ({}) as never };
  const whole = feeds.of({ ...granted, view: 'whole' });
  expect(feeds.of({ ...granted, view: 'whole' })).toBe(whole);
  expect(feeds.of({ ...granted, view: 'withheld' })).not.toBe(whole);
  feeds.close();
});
