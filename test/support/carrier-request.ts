import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** A carrier's request; what a test does not say is a form POST to an address of ours, with header names as given. */
export function carrierRequest(
  said: Partial<Omit<CarrierHttpRequest, 'rawBody'>> & { body?: string | Buffer } = {},
): CarrierHttpRequest {
  const { body = '', ...rest } = said;
  return {
    method: 'POST',
    url: 'https://calls.test/webhook/carrier/incoming',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    receivedAt: 1_700_000_000_000,
    ...rest,
    rawBody: Buffer.from(body),
  };
}
