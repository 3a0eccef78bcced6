import type { CarrierHttpRequest } from '#telephony/port/carrier-webhooks.js';

/** A carrier's request; by default a form POST to one of our URLs. Header names are used as given. */
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
