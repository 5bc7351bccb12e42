// Resolves two imports of the suite to files of ours. Nobody else's imports are touched.
const SUITE = /\/node_modules\/(@modelcontextprotocol\/conformance|conformance-[\d.]+)\//;
const OURS = { fs: './fs.mjs', undici: './undici.mjs' };

export function resolve(specifier, context, next) {
  if (!SUITE.test(context.parentURL ?? '') || !(specifier in OURS)) return next(specifier, context);
  return { url: new URL(OURS[specifier], import.meta.url).href, shortCircuit: true };
}
