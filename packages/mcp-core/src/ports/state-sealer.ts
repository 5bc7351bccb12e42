/**
 * Seals what travels through a client and comes back. Nobody outside can read or change it, and it opens only where the
 * same `bound` is named. Every node of a host must open what another sealed; how long it is good is said in the text.
 */
export interface StateSealer {
  /** @returns visible ASCII without spaces */
  seal(text: string, bound: string): string;
  /** Undefined for anything that was not sealed by this host for the same `bound`. */
  open(sealed: string, bound: string): string | undefined;
}
