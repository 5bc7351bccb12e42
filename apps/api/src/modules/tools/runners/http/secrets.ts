import { encodeStrict, wellFormed } from './encode.js';

/** Where secrets are opened, at the last moment before a request leaves. */
export interface SecretSource {
  /**
   * @param host the host the secret goes to, always with its port: `api.example.com:443`, `[::1]:8080`.
   * @throws SecretRefused when there is no such secret or it is not bound to that host.
   */
  open(tenantId: string, name: string, host: string): Promise<string>;
}

/** A secret that may not be used. The message is for the tenant; it never holds a value. */
export class SecretRefused extends Error {
  override readonly name = 'SecretRefused';

  constructor(secret: string, reason: 'missing' | 'host') {
    super(
      reason === 'missing'
        ? `there is no secret "${secret}"`
        : `the secret "${secret}" is not bound to the host of this request`,
    );
  }
}

/** The name of a token among secrets; no secret can have it. */
export function tokenOf(secret: string): string {
  return `token of ${secret}`;
}

/** `host:port` of a URL, the port always there. */
export function hostWithPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** The secrets of one request: opened once each, and known to the mask. */
export class OpenedSecrets {
  private readonly values = new Map<string, string>();

  private constructor() {}

  /** @throws SecretRefused; one refused secret refuses the request. */
  static async open(
    source: SecretSource,
    tenantId: string,
    names: Iterable<string>,
    url: string,
  ): Promise<OpenedSecrets> {
    const opened = new OpenedSecrets();
    const host = hostWithPort(url);
    await Promise.all(
      [...new Set(names)].map(async (name) => opened.values.set(name, await source.open(tenantId, name, host))),
    );
    return opened;
  }

  /** A token that stands for a secret on this request, known to the mask as well. */
  holdToken(secret: string, token: string): void {
    this.values.set(tokenOf(secret), token);
  }

  value(name: string): string {
    const value = this.values.get(name);
    if (value === undefined) throw new SecretRefused(name, 'missing');
    return value;
  }

  /** Every text that gives a secret away: what a redirect may not carry off. */
  texts(): string[] {
    return [...this.values.values()];
  }

  mask(): SecretMask {
    return new SecretMask(this.values);
  }
}

/** Shorter parts are too common to be told from ordinary text. */
const MIN_PART = 4;

/** Takes secrets, and what they look like encoded, out of texts that leave: answers, errors, log lines. */
export class SecretMask {
  private readonly needles: readonly (readonly [needle: string, label: string])[];

  constructor(secrets: Iterable<readonly [name: string, value: string]>) {
    const found = new Map<string, string>();
    for (const [name, value] of secrets) {
      for (const needle of spellings(value)) found.set(needle, `[secret ${name}]`);
    }
    this.needles = [...found].sort(([a], [b]) => b.length - a.length);
  }

  /** Length of the longest text that is masked: a cut may leave less than that of it at the end. */
  get longest(): number {
    return this.needles[0]?.[0].length ?? 0;
  }

  text(text: string): string {
    let masked = text;
    for (const [needle, label] of this.needles) masked = masked.replaceAll(needle, label);
    return masked;
  }

  bytes(bytes: Buffer): Buffer {
    if (!this.needles.some(([needle]) => bytes.includes(needle))) return bytes;
    let binary = bytes.toString('latin1');
    for (const [needle, label] of this.needles)
      binary = binary.replaceAll(Buffer.from(needle).toString('latin1'), label);
    return Buffer.from(binary, 'latin1');
  }
}

function spellings(value: string): string[] {
  const parts = [value, value.trim()];
  const colon = value.indexOf(':');
  // A basic credential kept as one secret: its password alone gives it away as well.
  if (colon > 0) parts.push(value.slice(colon + 1));
  return parts
    .flatMap((part) => [
      part,
      encodeURIComponent(wellFormed(part)),
      encodeStrict(part),
      encodeStrict(part).replace(/%../g, (byte) => byte.toLowerCase()),
      encodeStrict(part).replaceAll('%20', '+'),
      JSON.stringify(part).slice(1, -1),
      Buffer.from(part).toString('base64'),
      Buffer.from(part).toString('base64url'),
    ])
    .filter((needle) => needle.length >= MIN_PART);
}
