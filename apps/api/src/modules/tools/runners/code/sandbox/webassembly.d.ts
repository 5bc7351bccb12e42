/** The part of WebAssembly that the sandbox uses: Node has it, its types of this version do not. */
declare namespace WebAssembly {
  class Module {
    private readonly opaque;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
}
