import type { Notes } from '../compiled.js';
import { type Arguments, argument, valueText } from '../template/slots.js';
import { ArgumentRefused } from './argument-error.js';
import { encodePair, encodeStrict } from './encode.js';

interface Variable {
  readonly name: string;
  readonly explode: boolean;
}

type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'path' | 'segment' | 'text'; readonly variables: readonly Variable[] }
  | { readonly kind: 'query'; readonly variables: readonly Variable[] };

const expression = /\{([^{}]*)\}/g;
const variableName = /^([\p{L}_][\p{L}\p{N}_.-]*)(\*?)$/u;
const MAX_URL = 32_768;
const dotSegment = /^(?:\.|%2e){1,2}$/i;

/**
 * A URL with argument slots, RFC 6570 restricted to what cannot change where a request goes: `{x}` and `{/x}` in the
 * path, `{x}` in the query, `{?x,y}` and `{&x,y}`. Each path value is one percent-encoded segment or part of one.
 */
export class UrlTemplate {
  private constructor(
    private readonly origin: string,
    private readonly path: readonly Piece[],
    private readonly query: readonly Piece[],
    readonly slots: ReadonlySet<string>,
  ) {}

  /** Undefined, with faults at `at`, when the text is not such a template. */
  static compile(text: string, at: string, notes: Notes): UrlTemplate | undefined {
    const before = notes.faults.length;
    const authority = /^(https?:\/\/[^/?#{}\s\\]+)(.*)$/is.exec(text);
    if (/\{\{/.test(text)) notes.fault(at, 'secrets and doubled braces may not stand in a URL');
    else if (/[\s\\#]/.test(text)) notes.fault(at, 'a URL may not hold spaces, backslashes or a fragment');
    else if (!authority || /^\{[^/?]/.test(authority[2] ?? '')) {
      notes.fault(
        at,
        'expected http:// or https:// and a host without slots: no argument may choose scheme, host or port',
      );
    }
    if (notes.faults.length > before || !authority) return undefined;
    const origin = originOf(authority[1] as string);
    if (origin === undefined) {
      notes.fault(at, 'this host is not one that a URL can have');
      return undefined;
    }
    const { path, query, slots } = new Scanner(at, notes).scan(authority[2] as string);
    return notes.faults.length > before ? undefined : new UrlTemplate(origin, path, query, slots);
  }

  /** `https://host[:port]/`: what the guard can judge before there are arguments. */
  get base(): string {
    return `${this.origin}/`;
  }

  /**
   * @param extra encoded `name=value` pairs for the end of the query.
   * @throws ArgumentRefused when a value is missing in the path or would change its structure.
   */
  expand(args: Arguments, extra: readonly string[]): string {
    const path = this.path.map((piece) => expandPath(piece, args)).join('') || '/';
    const fixed = this.query.map((piece) => expandQuery(piece, args)).join('');
    const query = [fixed.replace(/^&|&$/g, ''), ...extra].filter((part) => part !== '').join('&');
    const href = `${this.origin}${path}${query === '' ? '' : `?${query}`}`;
    if (href.length > MAX_URL) throw new ArgumentRefused(`the URL would be longer than ${MAX_URL} characters`);
    const url = new URL(href);
    // What was put together must be what is requested, to the letter; anything else is an argument at work.
    if (path.split('/').some((segment) => dotSegment.test(segment)) || url.href !== href) {
      throw new ArgumentRefused('the arguments would change the path of the URL');
    }
    return href;
  }
}

function originOf(text: string): string | undefined {
  try {
    const url = new URL(text);
    return `${url.protocol}//${text.includes('@') ? text.replace(/^[^/]*\/\//, '') : url.host}`;
  } catch {
    return undefined;
  }
}

class Scanner {
  private readonly path: Piece[] = [];
  private readonly query: Piece[] = [];
  private readonly slots = new Set<string>();
  private inQuery = false;

  constructor(
    private readonly at: string,
    private readonly notes: Notes,
  ) {}

  scan(rest: string) {
    let end = 0;
    for (const match of rest.matchAll(expression)) {
      this.literal(rest.slice(end, match.index));
      this.expression(match[1] ?? '');
      end = match.index + match[0].length;
    }
    this.literal(rest.slice(end));
    this.checkLiteralPath();
    return { path: this.path, query: this.query, slots: this.slots };
  }

  private literal(text: string): void {
    if (/[{}]/.test(text)) this.notes.fault(this.at, 'a brace without its partner');
    const mark = this.inQuery ? -1 : text.indexOf('?');
    if (mark < 0) {
      this.push({ kind: 'literal', text: encodeLiteral(text) });
      return;
    }
    this.push({ kind: 'literal', text: encodeLiteral(text.slice(0, mark)) });
    this.inQuery = true;
    this.push({ kind: 'literal', text: encodeLiteral(text.slice(mark + 1)) });
  }

  private expression(body: string): void {
    const operator = /^[+#./;?&=,!@|]/.exec(body)?.[0] ?? '';
    const variables = this.variables(body.slice(operator.length), `{${body}}`);
    switch (operator) {
      case '':
        this.push({ kind: this.inQuery ? 'text' : 'path', variables });
        return this.noExplode(variables, body);
      case '/':
        if (this.inQuery) this.notes.fault(this.at, `{${body}} may stand in the path only`);
        this.push({ kind: 'segment', variables });
        return this.noExplode(variables, body);
      case '?':
        if (this.inQuery) this.notes.fault(this.at, `{${body}}: the query has begun already, use {&…}`);
        this.inQuery = true;
        this.push({ kind: 'query', variables });
        return;
      case '&':
        if (!this.inQuery) this.notes.fault(this.at, `{${body}}: the query has not begun, use {?…}`);
        this.push({ kind: 'query', variables });
        return;
      default:
        this.notes.fault(
          this.at,
          `{${body}}: only {x}, {/x}, {?x} and {&x} are served, since others would let an argument change the path`,
        );
    }
  }

  private variables(list: string, shown: string): Variable[] {
    return list.split(',').flatMap((spec) => {
      const match = variableName.exec(spec);
      if (!match) {
        this.notes.fault(this.at, `${shown}: "${spec}" is not the name of an argument`);
        return [];
      }
      this.slots.add(match[1] as string);
      this.notes.use(this.at, match[1] as string);
      return [{ name: match[1] as string, explode: match[2] === '*' }];
    });
  }

  private noExplode(variables: readonly Variable[], body: string): void {
    if (variables.some((variable) => variable.explode)) {
      this.notes.fault(this.at, `{${body}}: "*" may stand in {?…} and {&…} only`);
    }
  }

  private push(piece: Piece): void {
    if (piece.kind !== 'literal' || piece.text !== '') (this.inQuery ? this.query : this.path).push(piece);
  }

  private checkLiteralPath(): void {
    const text = this.path
      .map((piece) => (piece.kind === 'literal' ? piece.text : piece.kind === 'path' ? 'x' : '/x'))
      .join('');
    if (text.split('/').some((segment) => dotSegment.test(segment))) {
      this.notes.fault(this.at, 'the path may not hold "." or ".." segments');
    }
  }
}

/** RFC 6570 §3.1: literals that may not stand in a URL are percent-encoded; existing escapes stay. */
function encodeLiteral(text: string): string {
  return text.replace(/%(?![0-9a-f]{2})|[^\x21-\x7e]+|["'<>`^|]/gi, encodeStrict);
}

function expandPath(piece: Piece, args: Arguments): string {
  if (piece.kind === 'literal') return piece.text;
  if (piece.kind === 'path') return piece.variables.map((variable) => pathValue(variable, args)).join(',');
  return piece.variables
    .filter(({ name }) => argument(args, name) !== undefined && argument(args, name) !== null)
    .map((variable) => `/${pathValue(variable, args)}`)
    .join('');
}

function pathValue({ name }: Variable, args: Arguments): string {
  const value = argument(args, name);
  const texts = listOf(value).map(valueText);
  const text = texts.join(',');
  if (text === '')
    throw new ArgumentRefused(`the argument "${name}" stands in the URL's path: it must be there and not be empty`);
  if (/\p{Cc}/u.test(text)) {
    throw new ArgumentRefused(`the argument "${name}" stands in the URL's path and may not hold control characters`);
  }
  // Encoded, this is one segment; a backend that decodes before it splits would still climb.
  if (/[/\\]/.test(text) && text.split(/[/\\]/).some((part) => part === '.' || part === '..')) {
    throw new ArgumentRefused(`the argument "${name}" stands in the URL's path and may not climb with "." or ".."`);
  }
  const encoded = texts.map(encodeStrict).join(',');
  if (dotSegment.test(encoded)) {
    throw new ArgumentRefused(`the argument "${name}" stands in the URL's path and may not be "." or ".."`);
  }
  return encoded;
}

function expandQuery(piece: Piece, args: Arguments): string {
  if (piece.kind === 'literal') return piece.text;
  const given = piece.variables.filter(
    ({ name }) => argument(args, name) !== undefined && argument(args, name) !== null,
  );
  if (piece.kind !== 'query') return given.map(({ name }) => commaList(argument(args, name))).join(',');
  const pairs = given.flatMap(({ name, explode }) => {
    const value = argument(args, name);
    if (Array.isArray(value) && value.length === 0) return [];
    if (!explode) return [`${encodeStrict(name)}=${commaList(value)}`];
    if (Array.isArray(value)) return value.map((item) => encodePair(name, valueText(item)));
    if (typeof value === 'object' && value !== null) {
      return Object.entries(value).map(([key, item]) => encodePair(key, valueText(item)));
    }
    return [encodePair(name, valueText(value))];
  });
  return pairs.length === 0 ? '' : `&${pairs.join('&')}`;
}

function commaList(value: unknown): string {
  return listOf(value)
    .map((item) => encodeStrict(valueText(item)))
    .join(',');
}

/** RFC 6570 §3.2.1: a list is its items, an object its keys and values in turn. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.entries(value).flat() : [value];
}
