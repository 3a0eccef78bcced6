import type { CarrierStatus } from '#telephony/port/carrier.js';
import type { Persona, Pickup } from './persona.js';

/** Status after ringing, by the callee's reaction. */
export const AFTER_RINGING: Readonly<Record<Exclude<Pickup['kind'], 'unassigned'>, CarrierStatus>> = {
  answers: 'answered',
  hangs_up_at_once: 'answered',
  busy: 'busy',
  no_answer: 'no_answer',
  rejects: 'rejected',
};

/** Ring time in milliseconds; `usualMs` if the persona sets none. */
export function ringMsOf({ pickup }: Pick<Persona, 'pickup'>, usualMs: number): number {
  if (pickup.kind === 'answers') return pickup.ringMs ?? usualMs;
  if (pickup.kind === 'no_answer') return Number.POSITIVE_INFINITY;
  return pickup.kind === 'hangs_up_at_once' ? 0 : usualMs;
}
