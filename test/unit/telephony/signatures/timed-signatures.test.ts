import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyJambonzSignature } from '#telephony/carriers/jambonz/jambonz-signature.js';
import {
  readTelnyxPublicKey,
  verifyTelnyxGet,
  verifyTelnyxSignature,
} from '#telephony/carriers/telnyx/telnyx-signature.js';
import { carrierRequest } from '#test/support/carrier-request.js';
import { handSigned } from '#test/support/signature-vectors/hand-signed.js';

const SECRET = 'secret';
const NOW_SECONDS = 1_700_000_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const incoming = 'https://calls.test/webhook/incoming';

function fromTelnyx(body: string, said: { url?: string; at?: number; type?: string; method?: 'GET' } = {}) {
  const { at = NOW_SECONDS, type = JSON_TYPE['content-type'], ...rest } = said;
  const signature = sign(null, Buffer.from(`${at}|${body}`), privateKey).toString('base64');
  const headers = {
    'content-type': type,
    'telnyx-timestamp': `${at}`,
    'telnyx-signature-ed25519': signature,
  };
  return verifyTelnyxSignature(carrierRequest({ body, headers, ...rest }), [publicKey]);
}

function fromJambonz(
  body: string,
  said: { url?: string; header?: string; method?: 'GET'; at?: number } = {},
) {
  const { at = NOW_SECONDS, ...rest } = said;
  const header = said.header ?? `t=${at},v1=${handSigned('sha256', SECRET, `${at}.${body}`, 'hex')}`;
  const headers = { ...JSON_TYPE, 'jambonz-signature': header };
  return verifyJambonzSignature(carrierRequest({ body, headers, ...rest }), [SECRET]);
}

describe('signatures of Telnyx', () => {
  it('of one event are one, however often and wherever it is sent', () => {
    const event = (id: string, attempt: number) => JSON.stringify({ data: { id }, meta: { attempt } });
    const first = fromTelnyx(event('e1', 1));
    expect(first).toEqual({ genuine: true, replayKey: expect.any(String) });
    expect(fromTelnyx(event('e1', 2), { at: NOW_SECONDS + 10, url: `${incoming}?again` })).toEqual(first);
    expect(fromTelnyx(event('e2', 1)).replayKey).not.toBe(first.replayKey);
  });

  it('of forms are one for path, time and body', () => {
    const type = 'application/x-www-form-urlencoded';
    const first = fromTelnyx('CallSid=1', { type, url: incoming });
    expect(first.replayKey).toEqual(expect.any(String));
    expect(fromTelnyx('CallSid=1', { type, url: `${incoming}?x` })).toEqual(first);
    for (const other of [
      fromTelnyx('CallSid=1', { type, url: 'https://calls.test/webhook/status' }),
      fromTelnyx('CallSid=1', { type, url: incoming, at: NOW_SECONDS + 1 }),
      fromTelnyx('CallSid=2', { type, url: incoming }),
    ])
      expect([other.genuine, other.replayKey === first.replayKey]).toEqual([true, false]);
  });

  it('are refused where they cover nothing but the time', () => {
    expect(fromTelnyx('').genuine).toBe(false);
    expect(fromTelnyx('{}', { method: 'GET' }).genuine).toBe(false);
  });

  it('of the GETs that announce calls are one for address and time', () => {
    const announced = (
      query: string,
      said: { at?: number; method?: 'POST'; key?: KeyObject; body?: string } = {},
    ) => {
      const { at = NOW_SECONDS, method = 'GET' as const, key = privateKey, body = '' } = said;
      const headers = {
        'telnyx-timestamp': `${at}`,
        'telnyx-signature-ed25519': sign(null, Buffer.from(`${at}|${body}`), key).toString('base64'),
      };
      const url = `${incoming}?${query}`;
      return verifyTelnyxGet(carrierRequest({ method, headers, url, body }), [publicKey]);
    };
    const first = announced('CallSid=1');
    expect(first).toEqual({ genuine: true, replayKey: expect.any(String) });
    expect(announced('CallSid=1')).toEqual(first);
    for (const other of [announced('CallSid=2'), announced('CallSid=1', { at: NOW_SECONDS + 1 })])
      expect([other.genuine, other.replayKey === first.replayKey]).toEqual([true, false]);
    const { privateKey: another } = generateKeyPairSync('ed25519');
    expect(announced('CallSid=1', { key: another }).genuine).toBe(false);
    expect(announced('CallSid=1', { at: NOW_SECONDS - 301 }).genuine).toBe(false);
    expect(announced('CallSid=1', { method: 'POST' }).genuine).toBe(false);
    // Whoever has an event could put its signature to any query.
    expect(announced('CallSid=1', { body: '{"data":{"id":"e1"}}' }).genuine).toBe(false);
  });

  it.each(['', 'AAAA', 'no base64 at all', Buffer.alloc(33).toString('base64')])(
    'are not checked with %j, which is no key',
    (text) => {
      expect(() => readTelnyxPublicKey(text)).toThrow('32 bytes');
    },
  );
});

describe('signatures of jambonz', () => {
  const body = '{"call_sid":"1"}';
  const good = handSigned('sha256', SECRET, `${NOW_SECONDS}.${body}`, 'hex');

  it('may be one of several', () => {
    expect(fromJambonz(body, { header: `t=${NOW_SECONDS},v1=00,v1=${good}` }).genuine).toBe(true);
    expect(fromJambonz(body, { header: `v0=1, v1=${good} , t=${NOW_SECONDS}` }).genuine).toBe(true);
  });

  it.each([
    `v1=${good}`,
    `t=${NOW_SECONDS}`,
    `t=,v1=${good}`,
    `t=${NOW_SECONDS},v0=${good}`,
    `t=${NOW_SECONDS},t=${NOW_SECONDS},v1=${good}`,
    `t=${NOW_SECONDS}.0,v1=${good}`,
    good,
  ])('are refused when the header is %s', (header) => {
    expect(fromJambonz(body, { header })).toEqual({ genuine: false, replayKey: null });
  });

  it('are refused where they cover nothing but the time', () => {
    expect(fromJambonz('').genuine).toBe(false);
    expect(fromJambonz(body, { method: 'GET' }).genuine).toBe(false);
  });

  it('are one for path, time and body', () => {
    const first = fromJambonz(body, { url: incoming });
    expect(first).toEqual({ genuine: true, replayKey: expect.any(String) });
    expect(fromJambonz(body, { url: `${incoming}?x` })).toEqual(first);
    expect(fromJambonz(body, { url: 'https://calls.test/status' }).replayKey).not.toBe(first.replayKey);
    expect(fromJambonz(body, { url: incoming, at: NOW_SECONDS + 1 }).replayKey).not.toBe(first.replayKey);
  });
});
