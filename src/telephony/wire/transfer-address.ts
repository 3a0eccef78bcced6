import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { queryFields } from './form-fields.js';

const DIGITS = /^[1-9]\d{6,14}$/;

/**
 * Address of a transfer's markup, for carriers that take an address instead of markup. It contains the numbers,
 * without their plus, so that every process can answer; a third party learns only what it sent.
 */
export function transferAddress(
  publicUrl: string,
  carrier: string,
  { to, from }: { to: string; from: string },
): string {
  return `${publicUrl}/webhook/${carrier}/transfer?to=${to.replace('+', '')}&from=${from.replace('+', '')}`;
}

/** The transfer event of such an address; empty if its numbers are invalid. */
export function readTransfer(request: CarrierHttpRequest, providerCallId: string): CarrierEvent[] {
  const [to, from] = ['to', 'from'].map((name) => {
    const value = queryFields(request.url).find(([known]) => known === name)?.[1] ?? '';
    return DIGITS.test(value) ? `+${value}` : null;
  });
  return to && from ? [{ kind: 'transfer', providerCallId, to, from }] : [];
}
