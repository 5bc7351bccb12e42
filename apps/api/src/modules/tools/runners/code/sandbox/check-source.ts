import { EvalFlags, JSException, MAX_STACK_SIZE, QuickJS } from 'quickjs-wasi';
import type { SourceFault } from './messages.js';
import { placeOf } from './run-end.js';

/**
 * Does the source parse, and has it a default export? Nothing of it is evaluated: a module that throws is imported
 * before it, and linking, which finds missing exports, comes before either would run.
 */
export async function checkSource(module: WebAssembly.Module, source: string): Promise<SourceFault | undefined> {
  let imports: string | undefined;
  const vm = await QuickJS.create({
    wasm: module,
    wasi: () => ({ fd_write: () => 8 }),
    memoryLimit: 64 * 1024 * 1024,
    maxStackSize: MAX_STACK_SIZE / 2,
    moduleLoader: {
      normalize: (_base: string, specifier: string) => specifier,
      load: (name: string) => {
        if (name === 'stop') return 'throw undefined';
        if (name === 'tool.js') return source;
        imports = name;
        throw 'refused';
      },
    },
  });
  try {
    vm.evalCode('import "stop"; import tool from "tool.js";', 'check', EvalFlags.TYPE_MODULE);
    return undefined;
  } catch (error) {
    if (imports !== undefined)
      return { message: `import of ${JSON.stringify(imports)}: code tools cannot import modules` };
    if (!(error instanceof JSException))
      return { message: 'the source is too large or too deeply nested to be parsed' };
    if (error.message.includes("export 'default'")) {
      return { message: 'the source has no default export: expected `export default async (args, ctx) => …`' };
    }
    return { message: `${error.name}: ${error.message}`, ...placeOf(error) };
  } finally {
    vm.dispose();
  }
}
