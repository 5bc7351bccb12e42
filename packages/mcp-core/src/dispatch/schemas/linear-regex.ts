import { RE2JS } from 're2js';

interface LinearRegex {
  test(text: string): boolean;
}

/**
 * Patterns of tenants run in linear time: what needs backtracking (lookaround, back references) is refused.
 * The shape is that of Ajv's `code.regExp`. Ajv tells compiled patterns apart by their text form, so each says its own.
 * @throws Error with the reason when the pattern cannot be compiled
 */
export function linearRegExp(pattern: string, _flags: string): LinearRegex {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.test(text), toString: () => `linear:${pattern}` } as LinearRegex;
}
linearRegExp.code = 'linearRegExp';
