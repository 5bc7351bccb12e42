/*
 * RFC 6570 with text values: enough to fill a form's values into a template. Lists and maps have no field in that form,
 * so the explode modifier changes nothing but the names of ";", "?" and "&".
 */

interface Expression {
  operator: string;
  variables: { name: string; prefix?: number }[];
}

const expression = /\{([+#./;?&]?)([^{}]+)\}/g;

function parse(operator: string, list: string): Expression {
  const variables = list.split(',').map((spec) => {
    const [, name = spec, length] = /^(.*?)(?::(\d+)|\*)?$/.exec(spec.trim()) ?? [];
    return { name, ...(length === undefined ? {} : { prefix: Number(length) }) };
  });
  return { operator, variables };
}

/** Names of the variables, each once, in order. */
export function templateVariables(template: string): string[] {
  const names = [...template.matchAll(expression)].flatMap(([, operator = '', list = '']) =>
    parse(operator, list).variables.map(({ name }) => name),
  );
  return [...new Set(names)];
}

const shapes: Record<string, { first: string; between: string; named: boolean; ifEmpty: string; reserved: boolean }> = {
  '': { first: '', between: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', between: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', between: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', between: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', between: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', between: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', between: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', between: '&', named: true, ifEmpty: '=', reserved: false },
};

/** The URI with the values filled in; a variable without a value is left out, as RFC 6570 §3.2.1 says. */
export function expandTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(expression, (_whole, operator: string, list: string) => {
    const shape = shapes[operator]!;
    const parts = parse(operator, list).variables.flatMap(({ name, prefix }) => {
      const value = values[name];
      if (value === undefined) return [];
      const cut = prefix === undefined ? value : [...value].slice(0, prefix).join('');
      const encoded = encode(cut, shape.reserved);
      if (!shape.named) return [encoded];
      return [encoded === '' ? name + shape.ifEmpty : `${name}=${encoded}`];
    });
    return parts.length > 0 ? shape.first + parts.join(shape.between) : '';
  });
}

function encode(value: string, reserved: boolean): string {
  const strict = (text: string) =>
    encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  if (!reserved) return strict(value);
  // Reserved characters and what is encoded already pass through.
  return value.replace(/%[0-9A-Fa-f]{2}|[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+|[\s\S]/gu, (part) =>
    /^(%[0-9A-Fa-f]{2}|[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+)$/.test(part) ? part : strict(part),
  );
}
