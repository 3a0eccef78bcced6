import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifySignalwireSignature } from '#telephony/carriers/twilio/signalwire-signature.js';
import { verifyTwilioSignature } from '#telephony/carriers/twilio/twilio-signature.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { handSigned } from '#test/support/signature-vectors/hand-signed.js';
import { honestVector, vectorRequest } from '#test/support/signature-vectors/vectors.js';

const SECRET = 'secret';
const FORM = 'application/x-www-form-urlencoded';
const HOOK = 'https://calls.test/hook';

function signedWith(header: string, text: string, type = FORM, encoding: 'base64' | 'hex' = 'base64') {
  return { 'content-type': type, [header]: handSigned('sha1', SECRET, text, encoding) };
}

describe('signatures of Twilio', () => {
  it.each([
    ['https://calls.test/hook?a=1', 'https://calls.test:443/hook?a=1'],
    ['https://calls.test:443/hook?a=1', 'https://calls.test/hook?a=1'],
    ['https://calls.test:8443', 'https://calls.test'],
    ['http://calls.test', 'http://calls.test:80'],
    ['wss://calls.test/ws/', 'wss://calls.test:443/ws/'],
    ['https://[2001:db8::1]/hook', 'https://[2001:db8::1]:443/hook'],
    ['https://user:pass@calls.test/hook', 'https://user:pass@calls.test:443/hook'],
  ])('for %s may be made for %s', (url, signedUrl) => {
    const request = carrierRequest({ url, headers: signedWith('x-twilio-signature', signedUrl) });
    expect(verifyTwilioSignature(request, [SECRET]).genuine).toBe(true);
  });

  it.each([
    ['https://calls.test/hook', 'https://calls.test:8443/hook'],
    ['https://calls.test/hook', 'https://calls.test/Hook'],
    ['https://calls.test/hook', 'https://calls.test/hook?'],
    ['https://calls.test/hook', 'https://other.test/hook'],
  ])('for %s may not be made for %s', (url, signedUrl) => {
    const request = carrierRequest({ url, headers: signedWith('x-twilio-signature', signedUrl) });
    expect(verifyTwilioSignature(request, [SECRET]).genuine).toBe(false);
  });

  it('cover JSON by its hash in the address, and nothing else that is no form', () => {
    const body = '{"CallSid":"CA1"}';
    const url = `${HOOK}?bodySHA256=${createHash('sha256').update(body).digest('hex')}`;
    const headers = signedWith('x-twilio-signature', url, 'application/json');
    const genuine = (said: Parameters<typeof carrierRequest>[0]) =>
      verifyTwilioSignature(carrierRequest({ url, headers, body, ...said }), [SECRET]).genuine;
    expect(genuine({})).toBe(true);
    expect(genuine({ body: '{"CallSid":"CA2"}' })).toBe(false);
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
      expect(genuine({ url: HOOK, headers: signedWith('x-twilio-signature', HOOK, type) })).toBe(false);
  });

  it('tell a copy by the idempotency token and the signature together, and by nothing else', () => {
    const vector = honestVector('twilio');
    const replayKey = (token: string | undefined, from = vector) =>
      verifyTwilioSignature(
        vectorRequest({
          ...from,
          headers: { ...from.headers, ...(token && { 'i-twilio-idempotency-token': token }) },
        }),
        [from.secret],
      ).replayKey;
    expect(replayKey(undefined)).toBeNull();
    expect(replayKey('one')).toEqual(expect.any(String));
    expect(replayKey('one')).toBe(replayKey('one'));
    expect(replayKey('one')).not.toBe(replayKey('two'));
    const other = {
      ...vector,
      secret: SECRET,
      url: HOOK,
      body: '',
      headers: signedWith('x-twilio-signature', HOOK),
    };
    expect(replayKey('one', other)).not.toBe(replayKey('one'));
  });
});

describe('signatures of SignalWire', () => {
  it('cover repeated fields as they were sent, where Twilio’s are sorted and said once', () => {
    const body = 'b=2&a=z&a=y&a=y';
    const asSent = carrierRequest({
      url: HOOK,
      body,
      headers: signedWith('x-signalwire-signature', `${HOOK}azayayb2`),
    });
    expect(verifySignalwireSignature(asSent, [SECRET]).genuine).toBe(true);
    const distinct = carrierRequest({
      url: HOOK,
      body,
      headers: signedWith('x-twilio-signature', `${HOOK}ayazb2`),
    });
    expect(verifyTwilioSignature(distinct, [SECRET]).genuine).toBe(true);
    expect(verifySignalwireSignature(distinct, [SECRET]).genuine).toBe(false);
  });

  it('of JSON are hexadecimal and cover its bytes', () => {
    const body = '{"call_id":"1",  "é":1}';
    const headers = signedWith('x-signalwire-signature', HOOK + body, 'application/json', 'hex');
    const genuine = (said: Parameters<typeof carrierRequest>[0]) =>
      verifySignalwireSignature(carrierRequest({ url: HOOK, headers, body, ...said }), [SECRET]).genuine;
    expect(genuine({})).toBe(true);
    expect(genuine({ body: '{"call_id":"1","é":1}' })).toBe(false);
    expect(genuine({ headers: { ...headers, 'content-type': FORM } })).toBe(false);
    const upper = headers['x-signalwire-signature']!.toUpperCase();
    expect(genuine({ headers: { ...headers, 'x-signalwire-signature': upper } })).toBe(false);
  });

  it('may come under Twilio’s name', () => {
    const headers = signedWith('x-twilio-signature', `${HOOK}a1`);
    expect(verifySignalwireSignature(carrierRequest({ url: HOOK, body: 'a=1', headers }), [SECRET])).toEqual({
      genuine: true,
      replayKey: null,
    });
    const both = {
      ...headers,
      ...signedWith('x-signalwire-signature', `${HOOK}a1`),
      'x-twilio-signature': 'AAAA',
    };
    expect(
      verifySignalwireSignature(carrierRequest({ url: HOOK, body: 'a=1', headers: both }), [SECRET]).genuine,
    ).toBe(true);
  });
});
