import type { Json } from '#media/protocols/carrier-fields.js';
import { REMOTE_CARRIERS } from './remote-carriers.js';

/** The stream protocols of all carriers. The first that recognises a message is used, the common one last. */
export const CARRIER_STREAMS = [...new Set(REMOTE_CARRIERS.map(({ stream }) => stream))].toSorted(
  (a, b) => Number(a.isCommon ?? false) - Number(b.isCommon ?? false),
);

/** Several carriers greet with `connected`; the carrier is known by the `start` that follows. */
export function isGreeting(json: Json): boolean {
  return json['event'] === 'connected';
}

/** True if the message begins a carrier's stream. */
export function isOfCarrier(json: Json): boolean {
  return isGreeting(json) || CARRIER_STREAMS.some(({ recognises }) => recognises(json));
}
