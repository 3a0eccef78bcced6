import type { CarrierRequestKind } from './carrier-webhooks.js';

/**
 * Addresses for a carrier's reports on a call, by kind of request. Each contains the dial reference, which identifies
 * the call even if the answer to our request was lost.
 */
export function callAddresses(
  publicUrl: string,
  carrier: string,
  dialRef: string,
): (kind: CarrierRequestKind) => string {
  return (kind) => `${publicUrl}/webhook/${carrier}/${kind}/${dialRef}`;
}
