import { RE2JS } from 're2js';
import { asciiUri } from '../protocol/ascii-uri.js';
import { type ExpressionPart, parseUriTemplate, type TemplatePart } from './uri-template-parts.js';

/** A template of RFC 6570, compiled to read values out of URIs. */
export interface UriTemplate {
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** What the variables stand for in a URI in ASCII, percent-decoded; undefined when it is none of this template's. */
  match(uri: string): Record<string, string> | undefined;
}

/** What is wrong with a URI template, in words for its author; undefined when it can be served. */
export function checkUriTemplate(template: string): string | undefined {
  const compiled = compileUriTemplate(template);
  return typeof compiled === 'string' ? compiled : undefined;
}

/** The variables of a URI template, in order; none for one that `checkUriTemplate` has a word against. */
export function uriTemplateVariables(template: string): readonly string[] {
  const compiled = compileUriTemplate(template);
  return typeof compiled === 'string' ? [] : compiled.variables;
}

/** The compiled template, or what is wrong with it. Matching takes time linear in the length of the URI. */
export function compileUriTemplate(template: string): UriTemplate | string {
  const parts = parseUriTemplate(template);
  if (typeof parts === 'string') return parts;
  const readers: GroupReader[] = [];
  const pattern = parts.map((part) => patternOf(part, readers)).join('');
  const regex = RE2JS.compile(`^(?:${pattern})$`);
  const literals = parts.filter((part) => typeof part === 'string').map(asciiUri);
  return {
    variables: parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map(({ name }) => name))),
    match(text: string) {
      if (!hasInOrder(text, literals)) return undefined;
      const matcher = regex.matcher(text);
      if (!matcher.find()) return undefined;
      const values = new Map<string, string>();
      try {
        for (const [at, read] of readers.entries()) {
          const raw = matcher.group(at + 1);
          if (raw !== null && raw !== undefined && !read(raw, values)) return undefined;
        }
      } catch {
        // A percent sign that begins no UTF-8: nothing a template expands to.
        return undefined;
      }
      return Object.fromEntries(values);
    },
  };
}

/**
 * Whether a text begins with the first of the parts, and the others follow. Tells nearly every URI that does not fit, in
 * a fraction of the time an expression takes; a server may have many templates, and a client ask for many URIs at once.
 */
function hasInOrder(text: string, [first = '', ...others]: readonly string[]): boolean {
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}

/** Takes the text of one group apart. False when the text is nothing the expression expands to. */
type GroupReader = (raw: string, values: Map<string, string>) => boolean;

function patternOf(part: TemplatePart, readers: GroupReader[]): string {
  if (typeof part === 'string') return RE2JS.quote(asciiUri(part));
  switch (part.operator) {
    case '?':
    case '&':
    case ';':
      return pairsPattern(part, readers);
    case '/':
    case '.':
      return part.variables.map((variable) => segmentPattern(part, variable, readers)).join('');
    default:
      return listPattern(part, readers);
  }
}

/** `{v}`, `{+v}`, `{#v}`: values with commas between them. All but the first may be undefined, as may all after `#`. */
function listPattern({ operator, variables }: ExpressionPart, readers: GroupReader[]): string {
  const several = variables.length > 1;
  const reserved = operator === '' ? '/?#' : '';
  const excluded = `${reserved}${several ? ',' : ''}`;
  const value = excluded === '' ? '.+' : `[^${excluded}]+`;
  const [first, ...rest] = variables.map(({ name }) => {
    readers.push((raw, values) => keep(values, name, raw));
    return `(${value})`;
  });
  const list = `${first}${rest.reverse().reduce((tail, group) => `(?:,${group}${tail})?`, '')}`;
  return operator === '#' ? `(?:#${list})?` : list;
}

/** `{/v}` and `{.v}`: each value behind its own sign; an exploded one is a list of such values. */
function segmentPattern(
  { operator, variables }: ExpressionPart,
  { name, explode }: ExpressionPart['variables'][number],
  readers: GroupReader[],
): string {
  readers.push((raw, values) => keep(values, name, raw));
  if (explode) return `(?:${RE2JS.quote(operator)}([^?#]*))?`;
  // A dot may stand in a value, but where several values follow each other it ends one.
  const excluded = operator === '.' && variables.length > 1 ? '/?#.' : '/?#';
  return `(?:${RE2JS.quote(operator)}([^${excluded}]*))?`;
}

/** `{?v}`, `{&v}`, `{;v}`: names with values, in whatever order they come. */
function pairsPattern({ operator, variables }: ExpressionPart, readers: GroupReader[]): string {
  const separator = operator === ';' ? ';' : '&';
  const exploded = new Set(variables.filter(({ explode }) => explode).map(({ name }) => name));
  readers.push((raw, values) =>
    raw.split(separator).every((pair) => {
      if (pair === '') return true;
      const equals = pair.indexOf('=');
      const name = decodeURIComponent(equals === -1 ? pair : pair.slice(0, equals));
      const value = equals === -1 ? '' : pair.slice(equals + 1);
      const before = values.get(name);
      if (before === undefined) return keep(values, name, value);
      return exploded.has(name) && keep(values, name, `${encodeURIComponent(before)},${value}`);
    }),
  );
  const names = variables.map(({ name }) => RE2JS.quote(asciiUri(name))).join('|');
  const pair = operator === ';' ? `(?:${names})(?:=[^/?#;]*)?` : `(?:${names})=[^&#]*`;
  if (operator === '?') return `(?:\\?(${pair}(?:&${pair})*))?`;
  return `((?:${separator}${pair})*)`;
}

function keep(values: Map<string, string>, name: string, raw: string): boolean {
  values.set(name, decodeURIComponent(raw));
  return true;
}
