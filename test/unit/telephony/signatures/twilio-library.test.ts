import fc from 'fast-check';
import {
  getExpectedBodyHash,
  getExpectedTwilioSignature,
  validateRequest,
  validateRequestWithBody,
} from 'twilio/lib/webhooks/webhooks.js';
import { describe, expect, it } from 'vitest';
import { verifyTwilioSignature } from '#telephony/carriers/twilio/twilio-signature.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const TOKEN = 'token';

const words = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom('', '+1 4', '&=%?#'));
const names = fc.oneof(
  fc.constantFrom('From', 'CallSid', 'a', 'A', 'aa'),
  fc.string({ minLength: 1, maxLength: 4 }).filter((name) => !(name in {})),
);
const fields = fc.array(fc.tuple(names, words), { maxLength: 6 });
const origins = fc.constantFrom(
  'https://calls.test',
  'https://calls.test:443',
  'https://calls.test:8443',
  'http://calls.test',
  'http://calls.test:80',
);
const addresses = fc
  .tuple(fc.constantFrom('/', '/hook', '/hook/', '/a%20b'), fields)
  .map(([path, query]) => (query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`));

/** Fields as Twilio's library wants them. */
function grouped(sent: readonly (readonly [string, string])[]): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of sent) (groups[name] ??= []).push(value);
  return groups;
}

function genuine(said: { url: string; body?: string; method?: 'GET'; type?: string; signature: string }) {
  const { type = 'application/x-www-form-urlencoded', signature, ...rest } = said;
  const headers = { 'content-type': type, 'x-twilio-signature': signature };
  return verifyTwilioSignature(carrierRequest({ ...rest, headers }), [TOKEN]).genuine;
}

describe('signatures of Twilio, with its own library as the judge', () => {
  it('are believed when the library has made them, for a form and for a GET', () => {
    fc.assert(
      fc.property(origins, addresses, fields, (origin, address, sent) => {
        const url = origin + address;
        const body = new URLSearchParams(sent).toString();
        const signature = getExpectedTwilioSignature(TOKEN, url, grouped(sent));
        expect(genuine({ url, body, signature })).toBe(true);
        expect(genuine({ url, method: 'GET', signature: getExpectedTwilioSignature(TOKEN, url, {}) })).toBe(
          true,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are believed exactly when the library believes them, for every pair of ports and fields', () => {
    fc.assert(
      fc.property(origins, origins, fields, fields, fc.boolean(), (ours, theirs, sent, other, isSame) => {
        const signature = getExpectedTwilioSignature(TOKEN, `${theirs}/hook?x=1`, grouped(sent));
        const received = isSame ? sent : other;
        const url = `${ours}/hook?x=1`;
        const body = new URLSearchParams(received).toString();
        expect(genuine({ url, body, signature })).toBe(
          validateRequest(TOKEN, signature, url, grouped(received)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('are believed for JSON, and for no other JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (signed, received) => {
        const url = `https://calls.test/hook?x=1&bodySHA256=${getExpectedBodyHash(signed)}`;
        const signature = getExpectedTwilioSignature(TOKEN, url, {});
        const said = { url, type: 'application/json', signature };
        expect(genuine({ ...said, body: signed })).toBe(true);
        expect(genuine({ ...said, body: received })).toBe(
          validateRequestWithBody(TOKEN, signature, url, received),
        );
      }),
    );
  });
});
