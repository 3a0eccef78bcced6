import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';

/**
 * The carriers that run inside this process, by name, with the functions that create them. Carriers outside are in
 * `remote-carriers.ts`.
 */
export const LOCAL_CARRIERS = {
  sandbox: createSandboxCarrier,
} as const;
