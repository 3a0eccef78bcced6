import type { CarrierRequestKind } from './carrier-webhooks.js';

/**
 * Returns a function from a kind of request to its webhook address for one outbound call. A carrier's client puts these
 * addresses into the dial request. Each address contains the dial reference. It identifies the call even if the
 * carrier's answer with its own id was lost.
 */
export function callAddresses(
  publicUrl: string,
  carrier: string,
  dialRef: string,
): (kind: CarrierRequestKind) => string {
  return (kind) => `${publicUrl}/webhook/${carrier}/${kind}/${dialRef}`;
}
