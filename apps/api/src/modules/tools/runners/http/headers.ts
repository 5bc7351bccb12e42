import { pointer } from '../../../../common/http/json-faults.js';
import type { Notes } from '../compiled.js';
import { onlySlot } from '../template/json-template.js';
import { type Arguments, argument, type Part, parseSlots, valueText } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import type { OpenedSecrets } from './secrets.js';

/** A header whose value may hold arguments and secrets. */
export interface HeaderTemplate {
  readonly name: string;
  readonly parts: readonly Part[];
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** They frame the message or belong to the connection; a tenant's copy of them is request smuggling at worst. */
const reserved =
  /^(host|connection|keep-alive|proxy-.*|transfer-encoding|content-length|te|trailer|upgrade|expect|http2-settings)$/i;

const notInHeader = /[^\t\x20-\x7e\x80-\xff]/;

/** Why no tool may send a header of this name, or undefined. */
export function headerNameFault(name: string): string | undefined {
  if (!token.test(name)) return 'this is not the name of a header';
  return reserved.test(name) ? `the header "${name}" belongs to the connection and may not be set` : undefined;
}

/** @throws ArgumentRefused for line breaks and everything else that is not a header value (RFC 9110 §5.5). */
export function checkHeaderValue(name: string, value: string): string {
  if (notInHeader.test(value)) {
    throw new ArgumentRefused(
      `the value of the header "${name}" holds a line break or another character that headers cannot carry`,
    );
  }
  return value.trim();
}

/** Compiles the `headers` of a tool. */
export function compileHeaders(headers: Readonly<Record<string, string>>, at: string, notes: Notes): HeaderTemplate[] {
  const seen = new Set<string>();
  return Object.entries(headers).map(([name, value]) => {
    const path = at + pointer(name);
    const fault = headerNameFault(name);
    if (fault) notes.fault(path, fault);
    if (seen.has(name.toLowerCase())) notes.fault(path, 'this header is set twice');
    seen.add(name.toLowerCase());
    const parts = parseSlots(value, path, true, notes);
    if (parts.some((part) => part.kind === 'text' && notInHeader.test(part.text))) {
      notes.fault(path, 'a header value may hold neither line breaks nor characters beyond Latin-1');
    }
    return { name, parts };
  });
}

/** Fills a header; undefined when it is one slot and the argument is missing: then the header is not sent. */
export function fillHeader(header: HeaderTemplate, args: Arguments, secrets: OpenedSecrets): string | undefined {
  const only = onlySlot(header.parts);
  if (only !== undefined && (argument(args, only) ?? undefined) === undefined) return undefined;
  const text = header.parts.map((part) => {
    if (part.kind === 'text') return part.text;
    return part.kind === 'secret' ? secrets.value(part.name) : valueText(argument(args, part.name));
  });
  return checkHeaderValue(header.name, text.join(''));
}

/** Headers as the secrets in them are known: names in lower case, and the secrets' names. */
export function secretsIn(headers: readonly HeaderTemplate[]): { headers: Set<string>; names: Set<string> } {
  const found = { headers: new Set<string>(), names: new Set<string>() };
  for (const { name, parts } of headers) {
    for (const part of parts) {
      if (part.kind !== 'secret') continue;
      found.headers.add(name.toLowerCase());
      found.names.add(part.name);
    }
  }
  return found;
}
