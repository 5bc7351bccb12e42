/** The name in a `Host` value, lower case, without port; IPv6 without brackets. Undefined when it is no host at all. */
export function hostName(host: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host ?? '');
  return (match?.[1] ?? match?.[2])?.toLowerCase().replace(/\.$/, '');
}

/** Whether a `Host` value is one of ours. Defends a loopback service against DNS rebinding. */
export class HostCheck {
  private readonly names: ReadonlySet<string>;

  constructor(allowedHosts: readonly string[]) {
    this.names = new Set(allowedHosts.map((name) => hostName(name) ?? name.toLowerCase()));
  }

  allows(host: string | undefined): boolean {
    const name = hostName(host);
    return name !== undefined && (this.names.has(name) || this.names.has('*'));
  }
}
