import { describe, expect, it } from 'vitest';
import { callerName } from './session-model';

const keys = [{ id: '0198f5b0-0000-7000-8000-000000000001', name: 'Laptop' }];

describe('the caller of a session', () => {
  it('is a key by its name, one that may not be seen by the end of its id, or what it is', () => {
    expect(callerName(`key:${keys[0]!.id}`, keys)).toBe('Laptop');
    expect(callerName(`key:${keys[0]!.id}`)).toBe('key …00000001');
    expect(callerName('user:0198f5b0-0000-7000-8000-00000000000a', keys)).toBe('user …0000000a');
    expect(callerName('anonymous', keys)).toBe('anonymous');
  });
});
