/**
 * The kinds of carriers that the sandbox network simulates (setting `SANDBOX_KIND`), by their guarantees after a lost
 * answer to a dial request: an idempotency key, a look-up by the dial reference, both or neither. The service must
 * never let a phone ring twice with any of them.
 */
export const SANDBOX_KINDS = {
  key_and_look_up: { idempotentPlace: true, lookUp: 'exact' },
  key: { idempotentPlace: true, lookUp: 'none' },
  look_up: { idempotentPlace: false, lookUp: 'exact' },
  neither: { idempotentPlace: false, lookUp: 'none' },
} as const;
/** A value of the setting. */
export type SandboxKind = keyof typeof SANDBOX_KINDS;
