import type { CarrierRequestKind } from './carrier-webhooks.js';

/**
 * Where a carrier reports on a call of ours, by the kind of its report. Each address has our reference, which settles a
 * request whose answer was lost.
 */
export function callAddresses(
  publicUrl: string,
  carrier: string,
  dialRef: string,
): (kind: CarrierRequestKind) => string {
  return (kind) => `${publicUrl}/webhook/${carrier}/${kind}/${dialRef}`;
}
