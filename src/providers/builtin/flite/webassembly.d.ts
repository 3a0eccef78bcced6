// Node's types leave WebAssembly to the browser's. Only what the service calls is declared here.
declare namespace WebAssembly {
  const compile: (bytes: Uint8Array) => Promise<Module>;
  /** Starts a compiled program. */
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
