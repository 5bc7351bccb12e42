/** The name in a `Host` value, lower case, without port; IPv6 without brackets. Undefined when it is no host at all. */
export function hostName(host: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host ?? '');
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '');
}

const VERDICTS_MAX = 1_000;

/** Whether a `Host` value is one of ours. Defends a loopback service against DNS rebinding. */
export class HostCheck {
  private readonly names: ReadonlySet<string>;
  /** Verdicts by the value as it came: a deployment sees a handful of spellings, each thousands of times. */
  private readonly verdicts = new Map<string, boolean>();

  constructor(allowedHosts: readonly string[]) {
    this.names = new Set(allowedHosts.map((name) => hostName(name) ?? name.toLowerCase()));
  }

  allows(host: string | undefined): boolean {
    if (host === undefined) return false;
    const known = this.verdicts.get(host);
    if (known !== undefined) return known;
    const name = hostName(host);
    const verdict = name !== undefined && (this.names.has(name) || this.names.has('*'));
    if (this.verdicts.size >= VERDICTS_MAX) this.verdicts.clear();
    this.verdicts.set(host, verdict);
    return verdict;
  }
}
