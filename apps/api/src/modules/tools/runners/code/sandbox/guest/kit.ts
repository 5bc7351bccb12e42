import type { GuestHost } from './host.js';

export type GuestKit = ReturnType<typeof guestKit>;

/** What the other parts share: functions of the language as they were before tenant code could change them, and checks. */
export function guestKit(host: GuestHost) {
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const need = (valid: boolean, what: string) => {
    if (!valid) throw new TypeError(what);
  };
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !isArray(value);
  const toBytes = (value: unknown): Uint8Array | undefined => {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (ArrayBuffer.isView(value))
      return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
    return undefined;
  };
  return {
    parse,
    stringify,
    isArray,
    need,
    isObject,
    toBytes,
    named: (name: string, message: string) => Object.assign(new Error(message), { name }),
    isNumber: (value: unknown): value is number => typeof value === 'number' && value - value === 0,
    toBase64(value: unknown, what: string): string {
      if (typeof value === 'string') return value;
      const bytes = toBytes(value);
      need(bytes !== undefined, `${what} must be bytes or a base64 string`);
      return host.base64(bytes as Uint8Array);
    },
    /** The JSON text of a value; throws when it has none. */
    jsonOf(value: unknown): string {
      const json = stringify(value);
      if (json === undefined) throw new TypeError(`a ${typeof value} is no JSON value`);
      return json;
    },
    /** Text of any value, for console lines and thrown values that are no errors. */
    show(value: unknown): string {
      if (typeof value === 'string') return value;
      if (value instanceof Error) return `${value.name}: ${value.message}`;
      try {
        return (typeof value === 'object' && value !== null ? stringify(value) : undefined) ?? String(value);
      } catch {
        return Object.prototype.toString.call(value);
      }
    },
  };
}
