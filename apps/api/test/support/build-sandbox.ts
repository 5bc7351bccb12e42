import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const source = fileURLToPath(new URL('../../src/modules/tools/runners/code/sandbox/', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Compiles the files of the sandbox process into a temporary folder: it is a real child process with real threads, and
 * neither can read TypeScript. Give `entry` to `CodeRunner`, and call `remove` when the runner is closed.
 */
export function buildSandbox(): { readonly entry: URL; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gantry-sandbox-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const config = {
    extends: join(root, 'packages/tsconfig/base.json'),
    compilerOptions: {
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      rootDir: source,
      outDir: join(folder, 'sandbox'),
      declaration: false,
      declarationMap: false,
      sourceMap: false,
    },
    files: [join(source, 'process.ts'), join(source, 'thread.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`the sandbox does not compile:\n${(error as { stdout?: string }).stdout ?? String(error)}`);
  }
  return {
    entry: pathToFileURL(join(folder, 'sandbox', 'process.js')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
