import { expect, it } from 'vitest';
import { notFound } from '../../common/errors/app-error.js';
import { redisFault } from './redis-fault.js';

it('takes for an outage what is no answer or says so, and leaves every other error as it is', () => {
  const away = ['Connection is closed.', 'Command timed out', 'LOADING Redis is loading', 'CLUSTERDOWN Hash slot'];
  for (const words of away) {
    expect(redisFault(new Error(words))).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '1' } });
  }
  const others = [new Error('ERR wrong number'), new TypeError('x is not a function'), notFound('session'), 'text'];
  for (const other of others) expect(redisFault(other)).toBe(other);
});
