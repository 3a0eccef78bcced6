import { createSandboxCarrier } from './sandbox/sandbox-carrier.js';

/**
 * Every carrier by its name. A new one is a file (or folder) with a factory that takes its own options, and what the
 * house hands it (host, clock, ids, log …), and one line here; it must pass `test/contracts/carrier`.
 */
export const CARRIERS = {
  sandbox: createSandboxCarrier,
} as const;
