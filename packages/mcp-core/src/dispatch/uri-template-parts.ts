/** A template may have this many characters, and this many variables. */
export const MAX_TEMPLATE_LENGTH = 1_024;
const MAX_TEMPLATE_VARIABLES = 32;

/** How the values of an expression are written (RFC 6570 §2.2); the empty one is simple expansion. */
export type Operator = '' | '+' | '#' | '/' | '.' | ';' | '?' | '&';

/** An expression between braces. */
export interface ExpressionPart {
  readonly operator: Operator;
  readonly variables: readonly { readonly name: string; readonly explode: boolean }[];
}

/** Text to stand as it is, or an expression. */
export type TemplatePart = string | ExpressionPart;

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** RFC 6570 §2.1, and no percent sign that does not encode. */
const LITERAL = /^(?:[^\0-\x20"'<>\\^`{|}%\x7f]|%[0-9A-Fa-f]{2})*$/;
const NAME = /^(?:\w|%[0-9A-Fa-f]{2})+(?:\.(?:\w|%[0-9A-Fa-f]{2})+)*$/;
const OPERATORS = '+#/.;?&';
const RESERVED_OPERATORS = '=,!@|';

/** The parts of a template (RFC 6570 levels 1 to 3, and the explode modifier), or what is wrong with it. */
export function parseUriTemplate(template: string): readonly TemplatePart[] | string {
  if (template.length > MAX_TEMPLATE_LENGTH) return `is longer than ${MAX_TEMPLATE_LENGTH} characters`;
  if (!SCHEME.test(template)) return 'must begin with a scheme, such as orders:';
  const parts: TemplatePart[] = [];
  const names = new Set<string>();
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    const literal = template.slice(at, open === -1 ? undefined : open);
    if (!LITERAL.test(literal)) return `has characters that must be percent-encoded in ${JSON.stringify(literal)}`;
    if (literal !== '') parts.push(literal);
    if (open === -1) break;
    const close = template.indexOf('}', open);
    if (close === -1) return `has a { without its } at character ${open + 1}`;
    const expression = parseExpression(template.slice(open + 1, close), names);
    if (typeof expression === 'string') return expression;
    parts.push(expression);
    at = close + 1;
  }
  if (names.size === 0) return 'has no variables: what has one URI is a resource';
  if (names.size > MAX_TEMPLATE_VARIABLES) return `has more than ${MAX_TEMPLATE_VARIABLES} variables`;
  return parts;
}

function parseExpression(text: string, names: Set<string>): ExpressionPart | string {
  const sign = text.charAt(0);
  if (sign !== '' && RESERVED_OPERATORS.includes(sign))
    return `{${text}} begins with an operator that RFC 6570 reserves`;
  const operator = (sign !== '' && OPERATORS.includes(sign) ? sign : '') as Operator;
  const variables: { name: string; explode: boolean }[] = [];
  for (const spec of text.slice(operator.length).split(',')) {
    const explode = spec.endsWith('*');
    const name = explode ? spec.slice(0, -1) : spec;
    if (/:\d+$/.test(name)) return `{${text}}: prefixes such as :3 cannot be read back and are not supported`;
    if (!NAME.test(name)) return `{${text}}: ${JSON.stringify(name)} is not a variable name`;
    if (names.has(name)) return `names ${name} more than once`;
    names.add(name);
    variables.push({ name, explode });
  }
  return { operator, variables };
}
