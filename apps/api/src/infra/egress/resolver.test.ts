import { describe, expect, it } from 'vitest';
import { EgressFailure } from './errors.js';
import { type ResolvedAddress, Resolver } from './resolver.js';

const never = () => new AbortController().signal;

/** A lookup whose answers the test gives, name by name. */
function manualLookup() {
  const open = new Map<string, (answer: ResolvedAddress[]) => void>();
  const lookup = (host: string) => new Promise<ResolvedAddress[]>((resolve) => void open.set(host, resolve));
  return { lookup, open };
}

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });

describe('Resolver', () => {
  it('asks once for what many wait for, and again after the time to live', async () => {
    let now = 0;
    let asked = 0;
    const resolver = new Resolver(
      async () => [v4(`192.0.2.${++asked}`)],
      1_000,
      10,
      () => now,
    );
    const [a, b] = await Promise.all([
      resolver.resolve('x.test', 't', never()),
      resolver.resolve('x.test', 'u', never()),
    ]);
    expect(a).toEqual(b);
    now = 999;
    expect((await resolver.resolve('x.test', 't', never()))[0]?.resolved.address).toBe('192.0.2.1');
    now = 1_000;
    expect((await resolver.resolve('x.test', 't', never()))[0]?.resolved.address).toBe('192.0.2.2');
  });

  it('does not remember a failure', async () => {
    let asked = 0;
    const resolver = new Resolver(async () => {
      asked += 1;
      if (asked === 1) throw Object.assign(new Error('no'), { code: 'EAI_AGAIN' });
      return [v4('192.0.2.1')];
    });
    await expect(resolver.resolve('x.test', 't', never())).rejects.toBeInstanceOf(EgressFailure);
    expect(await resolver.resolve('x.test', 't', never())).toHaveLength(1);
  });

  it('calls an empty answer a name that does not resolve', async () => {
    await expect(new Resolver(async () => []).resolve('x.test', 't', never())).rejects.toMatchObject({ kind: 'dns' });
  });

  it('lets go of a silent name server when the caller gives up', async () => {
    const { lookup } = manualLookup();
    const abort = new AbortController();
    const waiting = new Resolver(lookup).resolve('slow.test', 't', abort.signal);
    abort.abort(new Error('gave up'));
    await expect(waiting).rejects.toThrow('gave up');
  });

  it('lets a tenant with silent name servers hold back only its own names', async () => {
    const { lookup, open } = manualLookup();
    const resolver = new Resolver(lookup);
    const mine = [1, 2, 3, 4, 5].map((i) => resolver.resolve(`slow${i}.test`, 'slow', never()));
    const other = resolver.resolve('quick.test', 'other', never());
    expect([...open.keys()]).toEqual(['slow1.test', 'quick.test']);
    open.get('quick.test')?.([v4('192.0.2.9')]);
    expect(await other).toHaveLength(1);
    open.get('slow1.test')?.([v4('192.0.2.1')]);
    expect(await mine[0]).toHaveLength(1);
    await expect.poll(() => open.has('slow2.test'), { timeout: 10_000 }).toBe(true);
    expect(open.has('slow3.test')).toBe(false);
  });

  it('refuses more names than a tenant may have waiting', async () => {
    const { lookup } = manualLookup();
    const resolver = new Resolver(lookup);
    for (let i = 0; i < 201; i += 1) resolver.resolve(`n${i}.test`, 't', never()).catch(() => undefined);
    await expect(resolver.resolve('one-more.test', 't', never())).rejects.toThrow(/too many host names/);
  });
});
