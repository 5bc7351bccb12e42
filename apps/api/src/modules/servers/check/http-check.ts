import { slotsOf, stringsIn } from './slots.js';
import type { Findings } from './verdict.js';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that frame the message or belong to the connection: the runner alone sets them. */
const RESERVED_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);
const EXPRESSION = /\{\{[^{}]*\}\}|\{[^{}]*\}/g;
const SECRET = /^\{\{\s*secret\.[A-Z][A-Z0-9_]{0,63}\s*\}\}$/;
const VARIABLES = /^[?&/.;]?[A-Za-z0-9_.]+(?:\*|:\d{1,4})?(?:,[A-Za-z0-9_.]+(?:\*|:\d{1,4})?)*$/;

/** Judges what an HTTP runner says, beyond its shape. `http` is the raw value. */
export function checkHttpRunner(http: Record<string, unknown>, path: PropertyKey[], findings: Findings): void {
  if (typeof http.url === 'string') checkUrl(http.url, [...path, 'url'], findings);
  for (const [name, value] of Object.entries(recordOf(http.headers))) {
    checkHeader(name, value, [...path, 'headers', name], findings);
  }
  const auth = recordOf(http.auth);
  if (auth.type === 'header' && typeof auth.name === 'string') {
    checkHeaderName(auth.name, [...path, 'auth', 'name'], findings);
  }
  for (const part of ['query', 'headers', 'body']) {
    for (const { text, path: place } of stringsIn(http[part], [...path, part])) checkSecretSlots(text, place, findings);
  }
}

/** Names of the arguments an HTTP runner uses explicitly, with their places. */
export function httpSlots(http: Record<string, unknown>, path: PropertyKey[]): { name: string; path: PropertyKey[] }[] {
  const used: { name: string; path: PropertyKey[] }[] = [];
  if (typeof http.url === 'string') {
    for (const name of urlVariables(http.url)) used.push({ name, path: [...path, 'url'] });
  }
  for (const part of ['query', 'headers', 'body']) {
    for (const { text, path: place } of stringsIn(http[part], [...path, part])) {
      for (const name of slotsOf(text)) used.push({ name, path: place });
    }
  }
  return used;
}

function checkUrl(url: string, path: PropertyKey[], findings: Findings): void {
  for (const character of url) {
    if (character <= ' ' || character === '\\' || character === '\x7f') {
      return findings.fault(path, 'must not contain white space, control characters or "\\"');
    }
  }
  const parts = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url);
  if (parts === null) return findings.fault(path, 'must start with "http://" or "https://", spelled out');
  const [, , authority = '', rest = ''] = parts;
  if (/[{}]/.test(authority)) return findings.fault(path, 'must not have arguments or secrets in host or port');
  if (authority.includes('@')) return findings.fault(path, 'must not hold credentials: use "auth" with a secret');
  if (/[{}]/.test(rest.replace(EXPRESSION, ''))) return findings.fault(path, 'has an unmatched "{" or "}"');
  for (const [expression] of rest.matchAll(EXPRESSION)) {
    if (expression.startsWith('{{')) {
      if (!SECRET.test(expression)) findings.fault(path, `${expression} is not {{secret.NAME}}`);
    } else if (/^\{[+#]/.test(expression)) {
      findings.fault(path, `${expression}: reserved expansion could leave its segment; use {name}`);
    } else if (!VARIABLES.test(expression.slice(1, -1))) {
      findings.fault(path, `${expression} is not an RFC 6570 expression`);
    }
  }
  if (!URL.canParse(`${url.slice(0, url.length - rest.length)}${rest.replace(EXPRESSION, 'x')}`)) {
    findings.fault(path, 'is not a URL once its arguments are filled');
  }
  if (rest.includes('#')) findings.warn(path, 'a fragment ("#…") is never sent');
}

function urlVariables(url: string): string[] {
  return [...url.matchAll(EXPRESSION)]
    .filter(([expression]) => !expression.startsWith('{{'))
    .flatMap(([expression]) =>
      expression
        .slice(1, -1)
        .replace(/^[?&/.;+#]/, '')
        .split(','),
    )
    .map((variable) => variable.replace(/(?:\*|:\d+)$/, ''))
    .filter((name) => name !== '');
}

function checkHeader(name: string, value: unknown, path: PropertyKey[], findings: Findings): void {
  checkHeaderName(name, path, findings);
  if (typeof value !== 'string') return;
  for (const character of value) {
    const code = character.codePointAt(0) as number;
    if ((code < 0x20 && code !== 0x09) || code === 0x7f || code > 0xff) {
      return findings.fault(path, 'a header value must not contain line breaks, control or non-Latin-1 characters');
    }
  }
}

function checkHeaderName(name: string, path: PropertyKey[], findings: Findings): void {
  if (!HEADER_NAME.test(name)) return findings.fault(path, `"${name}" is not a header name`);
  if (RESERVED_HEADERS.has(name.toLowerCase())) findings.fault(path, `the header "${name}" cannot be set by a tool`);
}

function checkSecretSlots(text: string, path: PropertyKey[], findings: Findings): void {
  for (const [expression] of text.matchAll(/\{\{[^{}]*\}\}/g)) {
    if (!SECRET.test(expression)) findings.fault(path, `${expression} is not {{secret.NAME}}`);
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
