import { describe, expect, it } from 'vitest';
import type { StateSealer } from '../../ports/state-sealer.js';

export interface StateSealerSubject {
  /** The sealer as two nodes of one host have it. */
  readonly one: StateSealer;
  readonly two: StateSealer;
  /** The sealer of another host. */
  readonly stranger: StateSealer;
}

const TEXT = JSON.stringify({ secret: 'höchst geheim ✓', list: [1, 2, 3] });

/** What every `StateSealer` promises. */
export function stateSealerContract(name: string, make: () => StateSealerSubject): void {
  describe(`StateSealer contract: ${name}`, () => {
    it('opens on one node what another has sealed, unchanged', () => {
      const { one, two } = make();
      for (const text of ['', TEXT, 'x'.repeat(100_000)]) expect(two.open(one.seal(text, 'b'), 'b')).toBe(text);
    });

    it('seals into visible ASCII that shows nothing of the text, and never twice the same', () => {
      const { one } = make();
      const sealed = one.seal(TEXT, 'bound');
      expect(sealed).toMatch(/^[!-~]+$/);
      const decoded = Buffer.from(sealed, 'base64').toString('latin1') + sealed;
      for (const part of ['secret', 'geheim', 'bound']) expect(decoded).not.toContain(part);
      expect(one.seal(TEXT, 'bound')).not.toBe(sealed);
    });

    it('opens nothing where something else is bound', () => {
      const { one } = make();
      const sealed = one.seal(TEXT, 'server a');
      expect(['server b', '', 'server a '].map((bound) => one.open(sealed, bound))).toEqual(Array(3).fill(undefined));
    });

    it('opens nothing in which any one character was changed', () => {
      const { one } = make();
      const sealed = one.seal('short', 'b');
      for (let at = 0; at < sealed.length; at++) {
        const other = sealed[at] === 'A' ? 'B' : 'A';
        expect(one.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'b')).toBeUndefined();
      }
    });

    it('opens nothing that was cut, grew, or was never sealed', () => {
      const { one } = make();
      const sealed = one.seal(TEXT, 'b');
      const others = [
        sealed.slice(0, -1),
        sealed.slice(1),
        `${sealed}A`,
        `${sealed}=`,
        ` ${sealed}`,
        '',
        'x',
        'é',
        TEXT,
      ];
      for (const other of others) expect(one.open(other, 'b')).toBeUndefined();
    });

    it('opens nothing of another host', () => {
      const { one, stranger } = make();
      expect(one.open(stranger.seal(TEXT, 'b'), 'b')).toBeUndefined();
    });
  });
}
