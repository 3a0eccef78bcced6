import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { queryFields } from './form-fields.js';

const DIGITS = /^[1-9]\d{6,14}$/;

/**
 * Where a carrier fetches the document that hands a call over, for carriers that take an address and no document. The
 * numbers are in it, without their plus, so that every process can answer; whoever else asks learns only what they ask.
 */
export function transferAddress(
  publicUrl: string,
  carrier: string,
  { to, from }: { to: string; from: string },
): string {
  return `${publicUrl}/webhook/${carrier}/transfer?to=${to.replace('+', '')}&from=${from.replace('+', '')}`;
}

/** What a request for such an address says; nothing when its numbers are none. */
export function readTransfer(request: CarrierHttpRequest, providerCallId: string): CarrierEvent[] {
  const [to, from] = ['to', 'from'].map((name) => {
    const value = queryFields(request.url).find(([known]) => known === name)?.[1] ?? '';
    return DIGITS.test(value) ? `+${value}` : null;
  });
  return to && from ? [{ kind: 'transfer', providerCallId, to, from }] : [];
}
