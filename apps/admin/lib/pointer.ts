import type { PointedMessage } from '@gantry/contracts';

/** The tokens of a JSON Pointer (RFC 6901), unescaped. */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function toPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The message of the field a pointer names exactly; several are joined. */
export function fieldError(errors: readonly PointedMessage[], pointer: string): string | undefined {
  const own = errors.filter((entry) => entry.path === pointer).map((entry) => entry.message);
  return own.length > 0 ? own.join('; ') : undefined;
}

/** The messages at a pointer or below it. */
export function errorsUnder(errors: readonly PointedMessage[], pointer: string): PointedMessage[] {
  return errors.filter((entry) => entry.path === pointer || entry.path.startsWith(`${pointer}/`));
}

/**
 * Gives each error to the deepest field on the page that holds it: `/inputSchema/properties/a/type` goes to the field
 * of `/inputSchema` if no nearer one is shown. What no field holds comes back under `rest`.
 */
export function assignErrors(errors: readonly PointedMessage[], fields: readonly string[]) {
  const byField = new Map<string, PointedMessage[]>();
  const rest: PointedMessage[] = [];
  for (const entry of errors) {
    let best: string | undefined;
    for (const field of fields) {
      const holds = entry.path === field || entry.path.startsWith(`${field}/`);
      if (holds && (best === undefined || field.length > best.length)) best = field;
    }
    if (best === undefined) rest.push(entry);
    else byField.set(best, [...(byField.get(best) ?? []), entry]);
  }
  return { byField, rest };
}
