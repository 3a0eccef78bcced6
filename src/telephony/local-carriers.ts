import { createSandboxCarrier } from '#telephony/sandbox/sandbox-carrier.js';

/** Networks inside this process, by name: a factory that takes its options, and what the service hands it. */
export const LOCAL_CARRIERS = {
  sandbox: createSandboxCarrier,
} as const;
