/**
 * The kinds of carriers that the network simulates (setting `SANDBOX_KIND`), by their guarantees for repeated dial
 * requests: an idempotency key, a look-up by the dial reference, both or neither.
 */
export const SANDBOX_KINDS = {
  key_and_look_up: { idempotentPlace: true, lookUp: 'exact' },
  key: { idempotentPlace: true, lookUp: 'none' },
  look_up: { idempotentPlace: false, lookUp: 'exact' },
  neither: { idempotentPlace: false, lookUp: 'none' },
} as const;
/** A value of the setting. */
export type SandboxKind = keyof typeof SANDBOX_KINDS;
