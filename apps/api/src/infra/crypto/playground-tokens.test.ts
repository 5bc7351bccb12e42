import { describe, expect, it } from 'vitest';
import { MasterKeys, PlaygroundTokens, parseApiKey, Sealer } from './index.js';

const master = new MasterKeys(Buffer.alloc(32, 1));
const tokens = new PlaygroundTokens(master.subkey('playground'));
const grant = {
  tenantId: '00000000-0000-7000-8000-000000000001',
  serverId: '00000000-0000-7000-8000-000000000002',
  holder: { kind: 'user', id: '00000000-0000-7000-8000-000000000003' },
  expiresAt: 1_000,
} as const;

describe('PlaygroundTokens', () => {
  it('open to the grant they were made for, on every node with the same master key', () => {
    const token = tokens.mint(grant);
    expect(tokens.open(token, 999)).toEqual(grant);
    const elsewhere = new PlaygroundTokens(new MasterKeys(Buffer.alloc(32, 1)).subkey('playground'));
    expect(elsewhere.open(token, 999)).toEqual(grant);
  });

  it('are taken for nothing else, and show nothing of what they grant', () => {
    const token = tokens.mint(grant);
    expect(token).toMatch(/^gtp_[0-9a-f]{12}_[A-Za-z0-9_-]+$/);
    expect(parseApiKey(token)).toBeUndefined();
    expect(Buffer.from(token.slice(17), 'base64url').toString('latin1')).not.toContain(grant.tenantId.slice(-4));
    expect(tokens.mint(grant)).not.toBe(token);
  });

  it('end with their time', () => {
    const token = tokens.mint(grant);
    expect(tokens.open(token, 1_000)).toBeUndefined();
    expect(tokens.open(token, 5_000)).toBeUndefined();
  });

  it('with one character changed are none', () => {
    const token = tokens.mint(grant);
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'a' ? 'b' : 'a';
      expect(tokens.open(token.slice(0, i) + other + token.slice(i + 1), 0)).toBeUndefined();
    }
    for (const text of ['', 'gtp_', token.slice(0, -1), `${token}A`, `${token}=`, ` ${token}`, token.toUpperCase()]) {
      expect(tokens.open(text, 0)).toBeUndefined();
    }
  });

  it('of another master key, and what was sealed for another purpose, are none', () => {
    const foreign = new PlaygroundTokens(new MasterKeys(Buffer.alloc(32, 2)).subkey('playground'));
    expect(tokens.open(foreign.mint(grant), 0)).toBeUndefined();
    const content = JSON.stringify(['t', 's', 'user', 'u', 1_000]);
    for (const sealer of [new Sealer(master.subkey('secrets')), new Sealer(master.subkey('playground'))]) {
      const sealed = Buffer.from(sealer.seal(content, ['another place'])).toString('base64url');
      expect(tokens.open(`gtp_${sealer.keyId}_${sealed}`, 0)).toBeUndefined();
      expect(tokens.open(`gtp_${tokens.mint(grant).slice(4, 16)}_${sealed}`, 0)).toBeUndefined();
    }
  });
});
