import { type JSValueHandle, MAX_STACK_SIZE, QuickJS, type Snapshot } from 'quickjs-wasi';
import { type GuestHost, guestSource } from './guest/index.js';
import { keyFault, questionFault } from './question-fault.js';

/** A fresh instance with the library in it, in which no tenant code has run yet. It serves one call and is thrown away. */
export interface Instance {
  readonly vm: QuickJS;
  readonly start: JSValueHandle;
  readonly settle: JSValueHandle;
  readonly abort: JSValueHandle;
  /** Set by the call that takes the instance. */
  host: Pick<GuestHost, 'note' | 'request' | 'sleep' | 'ask' | 'keep' | 'end'> | undefined;
  /** Asked about every ten thousand steps of the engine; true stops the code. */
  interrupted: () => boolean;
}

type HostFunctions = Record<keyof GuestHost, (...args: JSValueHandle[]) => JSValueHandle>;

const names: readonly (keyof GuestHost)[] = [
  'note',
  'request',
  'sleep',
  'ask',
  'fault',
  'keep',
  'end',
  'random',
  'utf8',
  'text',
  'base64',
  'bytes',
];

// The engine's own output would reach the process's stdout: nobody reads it there.
const wasi = () => ({ fd_write: () => 8 });

/** Makes instances from one snapshot, taken after the library was loaded. */
export class InstanceFactory {
  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly snapshot: Snapshot,
    private readonly tokens: readonly number[],
  ) {}

  static async create(module: WebAssembly.Module): Promise<InstanceFactory> {
    const vm = await QuickJS.create({ wasm: module, wasi, timezoneOffset: 0 });
    const host = vm.newObject();
    for (const name of names)
      vm.setProp(
        host,
        name,
        vm.newFunction(name, () => vm.undefined),
      );
    const library = vm.evalCode(guestSource(), 'ctx');
    const entry = vm.callFunction(library, vm.undefined, host);
    const tokens = [0, 1, 2].map((index) => vm.exportHandle(entry.getProp(String(index))));
    return new InstanceFactory(module, vm.snapshot(), tokens);
  }

  async make(memoryBytes: number): Promise<Instance> {
    // The handler is there before the instance is, so it reads the call's own through this object.
    const late: { instance?: Instance } = {};
    const vm = await QuickJS.restore(this.snapshot, {
      wasm: this.module,
      wasi,
      timezoneOffset: 0,
      memoryLimit: memoryBytes,
      maxStackSize: MAX_STACK_SIZE / 2,
      interruptHandler: () => late.instance?.interrupted() ?? false,
    });
    const [start, settle, abort] = this.tokens.map((token) => vm.importHandle(token));
    if (!start || !settle || !abort) throw new Error('the sandbox snapshot lacks its entry functions');
    const instance: Instance = { vm, start, settle, abort, host: undefined, interrupted: () => false };
    late.instance = instance;
    register(instance);
    return instance;
  }
}

function register(instance: Instance): void {
  const { vm } = instance;
  const text = (handle: JSValueHandle | undefined): string => (handle?.isString ? handle.toString() : '');
  const optional = (handle: JSValueHandle | undefined) => (handle?.isString ? handle.toString() : undefined);
  const words = (said: string | undefined) => (said === undefined ? vm.undefined : vm.newString(said));
  const host: HostFunctions = {
    note: (kind, json) => {
      instance.host?.note(text(kind), text(json));
      return vm.undefined;
    },
    request: (call, json) => {
      instance.host?.request(call?.toNumber() ?? 0, text(json));
      return vm.undefined;
    },
    sleep: (call, ms) => {
      instance.host?.sleep(call?.toNumber() ?? 0, ms?.toNumber() ?? 0);
      return vm.undefined;
    },
    ask: (key, json) => words(instance.host?.ask(text(key), text(json))),
    fault: (key, json) => words(keyFault(optional(key)) ?? (json?.isString ? questionFault(text(json)) : undefined)),
    keep: (key, json) => words(instance.host?.keep(text(key), text(json))),
    end: (json, result, state) => {
      instance.host?.end(text(json), optional(result), optional(state));
      return vm.undefined;
    },
    random: () => vm.newNumber(Math.random()),
    utf8: (value) => vm.newUint8Array(Buffer.from(text(value), 'utf8')),
    text: (value) => vm.newString(new TextDecoder().decode(value?.toUint8Array())),
    base64: (value) => vm.newString(Buffer.from(value?.toUint8Array() ?? []).toString('base64')),
    bytes: (value) => vm.newUint8Array(Buffer.from(text(value), 'base64')),
  };
  for (const name of names) {
    vm.registerHostCallback(name, (...args) => {
      try {
        return host[name](...args);
      } catch (error) {
        // An Error of ours would carry its stack, and with it paths of this machine, into the sandbox. A string does not;
        // what the engine itself threw is the guest's own.
        if (error instanceof Error && 'handle' in error) throw error;
        throw `ctx: ${name} failed`;
      }
    });
  }
}
