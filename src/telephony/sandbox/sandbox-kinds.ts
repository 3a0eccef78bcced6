/** What kinds of carriers the network can play: what may be relied on when it is asked again. */
export const SANDBOX_KINDS = {
  key_and_look_up: { idempotentPlace: true, lookUp: 'exact' },
  key: { idempotentPlace: true, lookUp: 'none' },
  look_up: { idempotentPlace: false, lookUp: 'exact' },
  neither: { idempotentPlace: false, lookUp: 'none' },
} as const;
export type SandboxKind = keyof typeof SANDBOX_KINDS;
