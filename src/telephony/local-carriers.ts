import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';

/** Factories of the networks inside this process, by name. */
export const LOCAL_CARRIERS = {
  sandbox: createSandboxCarrier,
} as const;
