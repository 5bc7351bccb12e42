import type { GuestHost } from './host.js';
import type { GuestKit } from './kit.js';

/** Gives tenant code the globals that the engine lacks: text encoders, `console`, and random numbers of its own. */
export function guestGlobals(host: GuestHost, { show, stringify, toBytes }: GuestKit): void {
  Math.random = () => host.random();
  class TextEncoder {
    readonly encoding = 'utf-8';
    encode(text = '') {
      return host.utf8(String(text));
    }
  }
  class TextDecoder {
    readonly encoding = 'utf-8';
    decode(value?: unknown) {
      return value === undefined ? '' : host.text(toBytes(value) ?? new Uint8Array());
    }
  }
  const levelOf: Record<string, string> = {
    debug: 'debug',
    log: 'info',
    info: 'info',
    warn: 'warning',
    error: 'error',
  };
  const console: Record<string, (...values: unknown[]) => void> = {};
  for (const name of Object.keys(levelOf)) {
    console[name] = (...values) => {
      let line = '';
      for (let i = 0; i < values.length; i++) line += (i ? ' ' : '') + show(values[i]);
      host.note('console', stringify([levelOf[name], line]));
    };
  }
  Object.assign(globalThis, { TextEncoder, TextDecoder, console });
}
