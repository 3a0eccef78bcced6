import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { queryFields } from './form-fields.js';

/** An E.164 number without its plus, as in the URL. */
const DIGITS = /^[1-9]\d{6,14}$/;

/**
 * The webhook URL at which a carrier fetches the markup of a transfer, for carriers that accept no markup in the
 * request itself (jambonz, Plivo, SignalWire). The URL contains the numbers, without their plus, so that any process
 * can answer without a look-up. The answer reveals nothing that is not in the URL.
 */
export function transferAddress(
  publicUrl: string,
  carrier: string,
  { to, from }: { to: string; from: string },
): string {
  return `${publicUrl}/webhook/${carrier}/transfer?to=${to.replace('+', '')}&from=${from.replace('+', '')}`;
}

/** The transfer event of a request to a {@link transferAddress}; empty if its numbers are invalid. */
export function readTransfer(request: CarrierHttpRequest, providerCallId: string): CarrierEvent[] {
  const [to, from] = ['to', 'from'].map((name) => {
    const value = queryFields(request.url).find(([known]) => known === name)?.[1] ?? '';
    return DIGITS.test(value) ? `+${value}` : null;
  });
  return to && from ? [{ kind: 'transfer', providerCallId, to, from }] : [];
}
