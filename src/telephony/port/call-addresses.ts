import type { CarrierRequestKind } from './carrier-webhooks.js';

/**
 * Returns the webhook addresses of one outbound call, by kind of request, which a carrier's client puts into the dial
 * request. Each address contains the dial reference. It identifies the call even if the carrier's answer with its own
 * id was lost.
 */
export function callAddresses(
  publicUrl: string,
  carrier: string,
  dialRef: string,
): (kind: CarrierRequestKind) => string {
  return (kind) => `${publicUrl}/webhook/${carrier}/${kind}/${dialRef}`;
}
