// What a TypeScript or JavaScript file imports, without a compiler: comments and strings are told apart from code.

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(["'])(?:\\.|(?!\1)[^\\\n])*\1|`(?:\\[\s\S]|[^\\`])*`/g;
const STATEMENT =
  /\b(?:import|export)\b[^;'"`]*?\bfrom\s*§(\d+)§|\bimport\s*§(\d+)§|\bimport\s*\(\s*§(\d+)§|\brequire\s*\(\s*§(\d+)§/g;
const TYPE_ONLY = /^(?:import|export)\s+type\b/;

/**
 * Every import of a source text, in order: `{specifier, clause, typeOnly, line}`. Dynamic imports count when their argument
 * is a plain string.
 */
export function importsOf(source) {
  const strings = [];
  // Code keeps its length in lines, strings become numbered marks, comments become blanks.
  const code = source.replace(COMMENT_OR_STRING, (text, quote) => {
    const lines = '\n'.repeat(text.split('\n').length - 1);
    if (text.startsWith('/')) return lines || ' ';
    if (!quote) return `""${lines}`;
    strings.push(text.slice(1, -1));
    return `§${strings.length - 1}§`;
  });
  return [...code.matchAll(STATEMENT)].map((match) => ({
    specifier: strings[Number(match[1] ?? match[2] ?? match[3] ?? match[4])],
    clause: match[0],
    typeOnly: TYPE_ONLY.test(match[0]),
    line: code.slice(0, match.index).split('\n').length,
  }));
}

/** Lines on which code, not a comment or a string, matches `pattern`. */
export function linesWith(source, pattern) {
  const code = source.replace(COMMENT_OR_STRING, (text) => '\n'.repeat(text.split('\n').length - 1));
  return code.split('\n').flatMap((text, index) => (pattern.test(text) ? [index + 1] : []));
}
