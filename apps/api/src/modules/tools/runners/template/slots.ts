import { type Notes } from '../compiled.js';

/** A piece of a template text. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string }
  | { readonly kind: 'secret'; readonly name: string };

const token = /\{\{secret\.([^{}]*)\}\}|\{\{([\p{L}_][\p{L}\p{N}_.-]*)\}\}|\{([\p{L}_][\p{L}\p{N}_.-]*)\}/gu;
const secretName = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Takes a template text apart. `{name}` is the argument `name`; `{{name}}` is the literal text `{name}`;
 * `{{secret.NAME}}` is a secret where secrets may stand, and a fault elsewhere. Every other brace is itself,
 * so JSON and code pass unchanged.
 */
export function parseSlots(text: string, at: string, secrets: boolean, notes: Notes): Part[] {
  const parts: Part[] = [];
  let literal = '';
  let end = 0;
  const push = (part: Part) => {
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
    parts.push(part);
  };
  for (const match of text.matchAll(token)) {
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    const [, secret, escaped, name] = match;
    if (name !== undefined) {
      notes.use(at, name);
      push({ kind: 'argument', name });
    } else if (escaped !== undefined) literal += `{${escaped}}`;
    else if (!secrets) notes.fault(at, `${match[0]}: a secret may stand in "headers" and "auth" only`);
    else if (!secretName.test(secret ?? '')) {
      notes.fault(at, badSecretName(match[0]));
    } else push({ kind: 'secret', name: secret as string });
  }
  literal += text.slice(end);
  if (literal !== '') parts.push({ kind: 'text', text: literal });
  return parts;
}

/** Takes a text apart in which only `{{secret.NAME}}` means anything. */
export function parseSecrets(text: string, at: string, notes: Notes): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{\{secret\.([^{}]*)\}\}/g)) {
    const name = match[1] as string;
    if (!secretName.test(name)) notes.fault(at, badSecretName(match[0]));
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    parts.push({ kind: 'secret', name });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

const badSecretName = (token: string) =>
  `${token}: a secret's name is 1 to 64 of A-Z, 0-9 and "_", starting with a letter`;

export type Arguments = Readonly<Record<string, unknown>>;

/** An argument's own value; what is inherited from Object.prototype is no argument. */
export function argument(args: Arguments, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** How a value reads inside a text: strings as they are, numbers and booleans plain, objects as JSON, nothing as ''. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A text with argument slots, ready to be filled by joining strings. */
export class TextTemplate {
  private readonly head: string;
  private readonly names: readonly string[];
  private readonly tails: readonly string[];

  constructor(parts: readonly Part[]) {
    let head = '';
    const names: string[] = [];
    const tails: string[] = [];
    for (const part of parts) {
      if (part.kind === 'argument') {
        names.push(part.name);
        tails.push('');
      } else {
        const text = part.kind === 'text' ? part.text : '';
        if (tails.length === 0) head += text;
        else tails[tails.length - 1] += text;
      }
    }
    this.head = head;
    this.names = names;
    this.tails = tails;
  }

  get slots(): readonly string[] {
    return this.names;
  }

  fill(args: Arguments): string {
    let text = this.head;
    for (let i = 0; i < this.names.length; i += 1) {
      text += valueText(argument(args, this.names[i] as string)) + (this.tails[i] as string);
    }
    return text;
  }
}
