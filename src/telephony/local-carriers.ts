import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';

/**
 * The carriers that run inside this process, by name, with the functions that create them. The composition root creates
 * the sandbox from this list. Real telephone companies are in `remote-carriers.ts`.
 */
export const LOCAL_CARRIERS = {
  sandbox: createSandboxCarrier,
} as const;
