import type { CallStatus } from '../../api/contract.js';

const OVER: CallStatus[] = ['completed', 'failed', 'missed', 'cancelled'];

export function isOver(status: CallStatus): boolean {
  return OVER.includes(status);
}

/** States in which there is something to hear. */
export function isTalking(status: CallStatus): boolean {
  return status === 'connected' || status === 'active';
}
