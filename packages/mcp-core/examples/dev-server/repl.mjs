// Code of a client runs here: inside an engine of its own, with no way to the process around it.
import { readFile } from 'node:fs/promises';
import { QuickJS } from 'quickjs-wasi';

const OUTPUT_LENGTH = 10_000;
/** Run inside, so that what a value says of itself is said there. */
const SHOW = `(value) => typeof value === 'string' ? value : typeof value === 'function' ? String(value)
  : value instanceof Error ? String(value) : JSON.stringify(value, undefined, 1) ?? String(value)`;

let compiled;

/** One session's engine: what one piece of code declares, the next one finds. */
export class Repl {
  #vm;
  #show;
  #deadline = 0;
  #timeMs;
  #now;

  /** @param globals JSON values by the names under which code finds them */
  static async create(globals, { timeMs = 500, memoryBytes = 16 * 1024 * 1024, now = Date.now } = {}) {
    compiled ??= readFile(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'))).then(WebAssembly.compile);
    const repl = new Repl();
    repl.#timeMs = timeMs;
    repl.#now = now;
    repl.#vm = await QuickJS.create({
      wasm: await compiled,
      memoryLimit: memoryBytes,
      // What the engine itself prints would reach this process's output.
      wasi: () => ({ fd_write: () => 8 }),
      interruptHandler: () => now() > repl.#deadline,
    });
    repl.#deadline = now() + timeMs;
    repl.#show = repl.#vm.evalCode(SHOW);
    for (const [name, value] of Object.entries(globals)) {
      repl.#vm.setProp(repl.#vm.global, name, repl.#vm.hostToHandle(value));
    }
    return repl;
  }

  /** What the code's last expression is, as text. Code that throws, takes too long or too much says so. */
  eval(code) {
    this.#deadline = this.#now() + this.#timeMs;
    try {
      const value = this.#vm.evalCode(code, 'repl');
      this.#vm.executePendingJobs();
      const text = this.#vm.callFunction(this.#show, this.#vm.undefined, value).consume((shown) => shown.toString());
      value.dispose();
      return { text: short(text), failed: false };
    } catch (error) {
      const late = this.#now() > this.#deadline;
      const words = late ? `Stopped: the time limit of ${this.#timeMs} ms is over` : `${error.name}: ${error.message}`;
      return { text: short(words), failed: true };
    }
  }

  dispose() {
    this.#vm.dispose();
  }
}

function short(text) {
  return text.length > OUTPUT_LENGTH ? `${text.slice(0, OUTPUT_LENGTH)}… (${text.length} characters)` : text;
}
