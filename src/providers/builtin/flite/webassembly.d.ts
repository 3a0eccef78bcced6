// Node's types do not declare WebAssembly. These are the parts that `FliteEngine` uses.
declare namespace WebAssembly {
  const compile: (bytes: Uint8Array) => Promise<Module>;
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
