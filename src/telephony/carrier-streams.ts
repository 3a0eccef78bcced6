import type { Json } from '#media/protocols/carrier-fields.js';
import { REMOTE_CARRIERS } from './remote-carriers.js';

/** What the carriers speak. The first that recognises a message is taken; a common one takes what is left. */
export const CARRIER_STREAMS = [...new Set(REMOTE_CARRIERS.map(({ stream }) => stream))].toSorted(
  (a, b) => Number(a.isCommon ?? false) - Number(b.isCommon ?? false),
);

/** Several carriers greet with `connected`; only the `start` that follows tells which of them it is. */
export function isGreeting(json: Json): boolean {
  return json['event'] === 'connected';
}

/** Whether a message is the beginning of a carrier's stream. */
export function isOfCarrier(json: Json): boolean {
  return isGreeting(json) || CARRIER_STREAMS.some(({ recognises }) => recognises(json));
}
