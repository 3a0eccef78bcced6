import type { Call, CallStatus } from '../../api/contract.js';

const OVER: CallStatus[] = ['completed', 'failed', 'missed', 'cancelled'];

export function isOver(status: CallStatus): boolean {
  return OVER.includes(status);
}

/** States in which there is something to hear. */
export function isTalking(status: CallStatus): boolean {
  return status === 'connected' || status === 'active';
}

/** The name of the person, as it was given with the call; null when it was not. */
export function nameOf({ name, customer_data: data }: Call): string | null {
  return name ?? (typeof data['name'] === 'string' ? data['name'] : null);
}
