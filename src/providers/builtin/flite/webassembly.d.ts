// Node's types do not declare WebAssembly. Only what the service calls is declared here.
declare namespace WebAssembly {
  const compile: (bytes: Uint8Array) => Promise<Module>;
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
