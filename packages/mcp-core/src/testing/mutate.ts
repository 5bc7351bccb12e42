/** A stream of numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;

const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  '\ud800',
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '%00',
  [],
  {},
  [[]],
  { a: 1 },
  { $ref: '#' },
];

/**
 * The bytes of a message with a few faults of the kind that clients, proxies and attackers make: fields swapped,
 * doubled, dropped or of another type, deep nesting, and text cut or flipped.
 */
export function mutate(message: unknown, random: Random): Uint8Array {
  const copy = structuredClone(message);
  const faults = 1 + Math.floor(random() * 3);
  let value: unknown = copy;
  for (let fault = 0; fault < faults; fault++) value = mutateValue(value, random);
  const text = JSON.stringify(value) ?? '';
  return random() < 0.2 ? mutateBytes(Buffer.from(text), random) : Buffer.from(text);
}

function mutateValue(root: unknown, random: Random): unknown {
  const places = placesOf(root);
  const place = pick(places, random);
  if (place === undefined || random() < 0.03) return strange(random);
  const { holder, key } = place;
  const target = holder as Record<string, unknown>;
  const kind = random();
  if (kind < 0.3) target[key] = strange(random);
  else if (kind < 0.5) delete target[key];
  else if (kind < 0.65) target[`${key}${random() < 0.5 ? ' ' : 'X'}`] = structuredClone(target[key]);
  else if (kind < 0.8) target[key] = valueAt(pick(places, random));
  else if (kind < 0.9) target[key] = [structuredClone(target[key]), structuredClone(target[key])];
  else target[key] = nested(random);
  return root;
}

function mutateBytes(bytes: Buffer, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = Math.floor(random() * bytes.length);
  const kind = random();
  if (kind < 0.35) return bytes.subarray(0, at);
  if (kind < 0.7) {
    bytes[at] = Math.floor(random() * 256);
    return bytes;
  }
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.floor(random() * bytes.length))]);
}

interface Place {
  readonly holder: object;
  readonly key: string;
}

function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null || found.length > 500) return found;
  for (const [key, member] of Object.entries(value)) {
    found.push({ holder: value, key });
    placesOf(member, found);
  }
  return found;
}

function valueAt(place: Place | undefined): unknown {
  return structuredClone((place?.holder as Record<string, unknown> | undefined)?.[place?.key ?? '']);
}

function nested(random: Random): unknown {
  let value: unknown = 1;
  const depth = Math.floor(random() * 200);
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function strange(random: Random): unknown {
  return structuredClone(pick(STRANGE, random));
}

function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)];
}
