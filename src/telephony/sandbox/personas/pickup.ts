import type { CarrierStatus } from '#telephony/port/carrier.js';
import type { Persona, Pickup } from './persona.js';

/** What follows the ringing, by the callee's way to pick up. */
export const AFTER_RINGING: Readonly<Record<Exclude<Pickup['kind'], 'unassigned'>, CarrierStatus>> = {
  answers: 'answered',
  hangs_up_at_once: 'answered',
  busy: 'busy',
  no_answer: 'no_answer',
  rejects: 'rejected',
};

/** How long a phone rings, in milliseconds; `usualMs` where its owner does not say. */
export function ringMsOf({ pickup }: Pick<Persona, 'pickup'>, usualMs: number): number {
  if (pickup.kind === 'answers') return pickup.ringMs ?? usualMs;
  if (pickup.kind === 'no_answer') return Number.POSITIVE_INFINITY;
  return pickup.kind === 'hangs_up_at_once' ? 0 : usualMs;
}
