// Titles of tests and of their groups in a source text, without a compiler.

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(["'])(?:\\.|(?!\1)[^\\\n])*\1|(`)(?:\\[\s\S]|[^\\`])*`/g;
const HEAD = /\b(?:it|test|describe)((?:\.\w+)*)(?:<[^()]*>)?\(/g;

/** Every title, in order. Of `it.each(table)(title, …)` it is the title, not the table. */
export function titlesOf(source) {
  const strings = [];
  const code = source.replace(COMMENT_OR_STRING, (text, quote, tick) => {
    if (!quote && !tick) return ' ';
    strings.push(text.slice(1, -1).replace(/\\(['"`\\])/g, '$1'));
    return `§${strings.length - 1}§`;
  });
  return [...code.matchAll(HEAD)].flatMap((head) => {
    const inside = head.index + head[0].length;
    const start = /\.(each|for|runIf|skipIf)$/.test(head[1]) ? afterSecondOpening(code, inside) : inside;
    const mark = /^\s*§(\d+)§/.exec(code.slice(start, start + 200));
    return mark ? [strings[Number(mark[1])]] : [];
  });
}

/** Behind the `(` that follows the closing of the one we are in. */
function afterSecondOpening(code, from) {
  let depth = 1;
  let at = from;
  while (depth > 0 && at < code.length) {
    if (code[at] === '(') depth++;
    if (code[at] === ')') depth--;
    at++;
  }
  return code.indexOf('(', at) + 1 || code.length;
}
