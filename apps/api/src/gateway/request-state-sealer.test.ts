import { stateSealerContract } from '@gantry/mcp-core/testing';
import { describe, expect, it } from 'vitest';
import { MasterKeys, Sealer } from '../infra/crypto/index.js';
import { RequestStateSealer } from './request-state-sealer.js';

const sealerOf = (byte: number) => new Sealer(new MasterKeys(Buffer.alloc(32, byte)).subkey('request-state'));

stateSealerContract('under the master key', () => ({
  one: new RequestStateSealer(sealerOf(1)),
  two: new RequestStateSealer(sealerOf(1)),
  stranger: new RequestStateSealer(sealerOf(2)),
}));

describe('RequestStateSealer', () => {
  it('names its key, and takes nothing that names another or none', () => {
    const sealer = new RequestStateSealer(sealerOf(1));
    const sealed = sealer.seal('text', 'bound');
    expect(sealed.startsWith(`${sealerOf(1).keyId}.`)).toBe(true);
    const [, body] = sealed.split('.');
    for (const other of ['', '.', body, `.${body}`, `${sealerOf(2).keyId}.${body}`, `${sealed}=`]) {
      expect(sealer.open(other as string, 'bound')).toBeUndefined();
    }
  });
});
