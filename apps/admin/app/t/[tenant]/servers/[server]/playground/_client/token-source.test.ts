import { describe, expect, it } from 'vitest';
import { createTokenSource, renewBeforeMs } from './token-source';

const endpoint = 'https://gantry.example/mcp/t/s';
const tokenAt = (token: string, ms: number) => ({ token, endpoint, expiresAt: new Date(ms).toISOString() });

describe('the token of a playground', () => {
  it('stays as long as enough of its time is left, and is renewed before it ends', async () => {
    let now = 0;
    let renewals = 0;
    const source = createTokenSource(
      tokenAt('first', 900_000),
      async () => tokenAt(`renewed ${++renewals}`, now + 900_000),
      () => now,
    );
    expect(await source()).toBe('first');
    now = 900_000 - renewBeforeMs - 1;
    expect(await source()).toBe('first');
    now += 1;
    expect(await Promise.all([source(), source()])).toEqual(['renewed 1', 'renewed 1']);
    expect(await source()).toBe('renewed 1');
    expect(renewals).toBe(1);
  });

  it('tells a failed renewal and tries again the next time', async () => {
    let fails = true;
    const source = createTokenSource(
      tokenAt('first', 0),
      async () => {
        if (fails) throw new Error('signed out');
        return tokenAt('second', 900_000);
      },
      () => 0,
    );
    await expect(source()).rejects.toThrow('signed out');
    fails = false;
    expect(await source()).toBe('second');
  });
});
