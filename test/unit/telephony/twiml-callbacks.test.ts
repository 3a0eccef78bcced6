import { describe, expect, it } from 'vitest';
import type { CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { readTwimlRequest } from '#telephony/carriers/twilio/twiml-callbacks.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const ID = 'CA0123456789abcdef0123456789abcdef';

function read(kind: CarrierRequestKind, form: Record<string, string>, query = '') {
  const url = `https://calls.test/webhook/twilio/${kind}${query}`;
  const body = new URLSearchParams({ CallSid: ID, ...form }).toString();
  return readTwimlRequest('twilio', kind, carrierRequest({ url, body }), REF);
}

describe('what a carrier says that speaks as Twilio does', () => {
  it.each([
    // The first word, long before a phone rings: it settles a request whose answer is lost.
    ['queued', undefined, 'ringing'],
    ['initiated', undefined, 'ringing'],
    ['ringing', undefined, 'ringing'],
    ['in-progress', undefined, 'answered'],
    ['completed', '200', 'completed'],
    ['busy', '486', 'busy'],
    ['busy', '603', 'rejected'],
    ['no-answer', '487', 'no_answer'],
    ['failed', '404', 'invalid_number'],
    ['failed', '503', 'failed'],
    ['canceled', '487', 'cancelled'],
  ])('%s with %s is %s', (CallStatus, sip, status) => {
    const form = { CallStatus, ...(sip === undefined ? {} : { SipResponseCode: sip }) };
    expect(read('status', form)).toMatchObject([
      { kind: 'report', report: { status, dialRef: REF, providerCallId: ID, code: sip ?? null } },
    ]);
  });

  it.each([
    ['human', 'human', false],
    ['fax', 'fax', false],
    ['machine_start', 'machine', false],
    ['machine_end_beep', 'machine', true],
    ['machine_end_silence', 'machine', true],
    ['machine_end_other', 'machine', true],
    ['unknown', 'unknown', false],
  ])('that picked up was %s: %s, whose greeting has ended: %s', (AnsweredBy, answeredBy, greetingEnded) => {
    expect(read('machine', { AnsweredBy })).toMatchObject([{ kind: 'machine', answeredBy, greetingEnded }]);
  });

  it('may be said in the words of the interface', () => {
    expect(read('status', { call_status: 'ringing' })).toMatchObject([{ report: { status: 'ringing' } }]);
  });

  it('says whom a call is handed over to by the address that it was given', () => {
    expect(read('transfer', {}, '?to=15550100003&from=15550000000')).toEqual([
      { kind: 'transfer', providerCallId: ID, to: '+15550100003', from: '+15550000000' },
    ]);
    expect(read('transfer', { to: '15550100003', from: '15550000000' })).toEqual([]);
  });
});
