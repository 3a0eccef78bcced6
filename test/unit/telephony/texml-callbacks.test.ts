import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_REQUEST_KINDS, type CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { readTexmlRequest } from '#telephony/carriers/telnyx/texml-callbacks.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const ID = 'v3:MdI91X4lWFEs7IgbBEOT9M4AigoY08M0WWZFISt1Yw2axZ_IiE4pqg';
const URL = 'https://voice.example.com/webhook/telnyx_texml/status';

function read(
  kind: CarrierRequestKind,
  form: Readonly<Record<string, string>>,
  options: { dialRef?: string | null; method?: 'GET' | 'POST' } = {},
) {
  const { dialRef = REF, method = 'POST' } = options;
  const said = new URLSearchParams({ CallSid: ID, ...form }).toString();
  const url = method === 'GET' ? `${URL}?${said}` : URL;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const rawBody = Buffer.from(method === 'GET' ? '' : said);
  return readTexmlRequest('telnyx_texml', kind, { method, url, headers, rawBody, receivedAt: 7 }, dialRef);
}

const report = (form: Record<string, string>, dialRef: string | null = REF) =>
  read('status', form, { dialRef }).map((event) => (event.kind === 'report' ? event.report : event))[0];

describe('what Telnyx says of a TeXML call', () => {
  it.each(['GET', 'POST'] as const)('announces a call that comes in, with %s', (method) => {
    const form = { From: '+14155550188', To: '+14155550177', CallStatus: 'ringing' };
    expect(read('incoming', form, { dialRef: null, method })).toEqual([
      { kind: 'incoming', providerCallId: ID, from: '+14155550188', to: '+14155550177' },
    ]);
  });

  it('asks for documents', () => {
    expect(read('answer', { CallStatus: 'in-progress' })).toEqual([
      { kind: 'answered', providerCallId: ID, dialRef: REF },
    ]);
    expect(read('stream-ended', {})).toEqual([{ kind: 'stream_ended', providerCallId: ID }]);
  });

  it.each([
    [{ CallStatus: 'initiated' }, 'ringing', null],
    [{ CallStatus: 'in-progress' }, 'answered', null],
    [{ CallStatus: 'busy', HangupCause: 'user_busy' }, 'busy', 'user_busy'],
    [{ CallStatus: 'busy', HangupCause: 'call_rejected' }, 'rejected', 'call_rejected'],
    [{ CallStatus: 'failed', SipHangupCause: '603' }, 'rejected', '603'],
    [{ CallStatus: 'failed', HangupCause: 'not_found' }, 'invalid_number', 'not_found'],
    [{ CallStatus: 'failed', HangupCause: 'unspecified' }, 'failed', 'unspecified'],
    [{ CallStatus: 'no-answer', HangupCause: 'timeout' }, 'no_answer', 'timeout'],
    [{ CallStatus: 'failed', HangupCause: 'timeout' }, 'timeout', 'timeout'],
    [{ CallStatus: 'failed', HangupCause: 'user_busy' }, 'busy', 'user_busy'],
    [{ CallStatus: 'canceled', HangupCause: 'originator_cancel' }, 'cancelled', 'originator_cancel'],
  ] as [Record<string, string>, string, string | null][])('reports %o as %s', (form, status, code) => {
    expect(report(form)).toEqual({
      carrier: 'telnyx_texml',
      dialRef: REF,
      providerCallId: ID,
      status,
      code,
      hungUpBy: null,
      at: 7,
    });
  });

  it.each([
    [REF, 'callee', 'customer'],
    [REF, 'caller', 'agent'],
    [null, 'caller', 'customer'],
    [null, 'callee', 'agent'],
    [REF, 'unknown', null],
  ])('tells who hung up (%s, %s)', (dialRef, HangupSource, hungUpBy) => {
    expect(report({ CallStatus: 'completed', HangupSource }, dialRef)).toMatchObject({ hungUpBy });
  });

  it.each([
    ['human', 'human', false],
    ['machine', 'machine', false],
    ['machine_end_beep', 'machine', true],
    ['not_sure', 'unknown', false],
  ])('tells who has picked up: %s', (AnsweredBy, answeredBy, greetingEnded) => {
    expect(read('machine', { AnsweredBy })).toEqual([
      { kind: 'machine', providerCallId: ID, dialRef: REF, answeredBy, greetingEnded },
    ]);
  });

  it('never fails, whatever it says', () => {
    const names = ['CallSid', 'CallStatus', 'HangupCause', 'HangupSource', 'From', 'To', 'AnsweredBy'];
    const form = fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof(fc.string(), fc.constantFrom('constructor', 'failed', 'busy')),
    );
    fc.assert(
      fc.property(fc.constantFrom(...CARRIER_REQUEST_KINDS), form, (kind, said) => {
        const told = read(kind, said);
        expect(told.length).toBeLessThanOrEqual(1);
        for (const event of told)
          if (event.kind === 'report') expect(event.report.status).toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });
});
