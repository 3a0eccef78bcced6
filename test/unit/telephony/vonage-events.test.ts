import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_REQUEST_KINDS, type CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { readVonageRequest } from '#telephony/carriers/vonage/vonage-events.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const CALL = 'aaaaaaaa-bbbb-cccc-dddd-0123456789ab';
const AT = 1_700_000_000_000;

function event(
  said: Record<string, unknown>,
  kind: CarrierRequestKind = 'status',
  dialRef: string | null = REF,
) {
  const headers = { 'content-type': 'application/json' };
  return readVonageRequest(
    kind,
    carrierRequest({ headers, body: JSON.stringify(said), receivedAt: AT }),
    dialRef,
  );
}
/** An event as it is told of every call, with fields that nobody here knows. */
const ofCall = (said: Record<string, unknown>) => ({
  uuid: CALL,
  conversation_uuid: 'CON-1',
  from: '15550000000',
  to: '15550100003',
  direction: 'outbound',
  timestamp: '2026-11-21T00:00:00.000Z',
  rate: null,
  network: { mnc: [1] },
  ...said,
});

describe('an event of Vonage', () => {
  it.each([
    [{ status: 'started' }, { status: 'ringing', code: null, hungUpBy: null }],
    [{ status: 'ringing' }, { status: 'ringing', code: null, hungUpBy: null }],
    [{ status: 'answered' }, { status: 'answered', code: null, hungUpBy: null }],
    [
      { status: 'busy', sip_code: 486 },
      { status: 'busy', code: '486' },
    ],
    [{ status: 'timeout' }, { status: 'timeout' }],
    [
      { status: 'unanswered', detail: 'unavailable' },
      { status: 'no_answer', code: 'unavailable' },
    ],
    [{ status: 'cancelled' }, { status: 'cancelled' }],
    [
      { status: 'rejected', detail: 'declined', sip_code: 603 },
      { status: 'rejected', code: 'declined' },
    ],
    [{ status: 'rejected' }, { status: 'rejected', code: null }],
    [
      { status: 'rejected', detail: 'invalid_number' },
      { status: 'invalid_number', code: 'invalid_number' },
    ],
    [
      { status: 'rejected', detail: 'restricted' },
      { status: 'failed', code: 'restricted' },
    ],
    [{ status: 'failed', detail: 'number_out_of_service' }, { status: 'invalid_number' }],
    [
      { status: 'failed', detail: 'cannot_route' },
      { status: 'failed', code: 'cannot_route' },
    ],
    [{ status: 'failed' }, { status: 'failed', code: null, hungUpBy: null }],
    [
      { status: 'completed', duration: '2', price: '0.1' },
      { status: 'completed', hungUpBy: null },
    ],
    [
      { status: 'completed', disconnected_by: 'user' },
      { status: 'completed', hungUpBy: 'customer' },
    ],
    [
      { status: 'completed', disconnected_by: 'platform' },
      { status: 'completed', hungUpBy: 'agent' },
    ],
    [
      { status: 'busy', disconnected_by: 'user' },
      { status: 'busy', hungUpBy: null },
    ],
  ])('%o is reported as %o', (said, report) => {
    const about = { carrier: 'vonage', dialRef: REF, providerCallId: CALL, at: AT };
    for (const kind of ['status', 'machine', 'stream-status'] as const)
      expect(event(ofCall(said), kind)).toMatchObject([{ kind: 'report', report: { ...about, ...report } }]);
  });

  it.each([
    [{ status: 'human' }, { answeredBy: 'human', greetingEnded: false }],
    [{ status: 'machine' }, { answeredBy: 'machine', greetingEnded: false }],
    [
      { status: 'machine', sub_state: 'beep_start' },
      { answeredBy: 'machine', greetingEnded: true },
    ],
    [
      { status: 'machine', sub_state: 'beep_timeout' },
      { answeredBy: 'machine', greetingEnded: true },
    ],
  ])('%o tells who has picked up, by the id in its own field', (said, found) => {
    const { uuid: call_uuid, ...rest } = ofCall(said);
    for (const kind of ['status', 'machine'] as const)
      expect(event({ call_uuid, ...rest }, kind)).toEqual([
        { kind: 'machine', providerCallId: CALL, dialRef: REF, ...found },
      ]);
  });

  it.each([
    { status: 'disconnected' },
    { status: 'toString' },
    { status: 7 },
    { conversation_uuid_to: 'CON-2' },
    { reason: 'Syntax error in NCCO' },
    { status: 'completed', uuid: '' },
    // Our socket is a leg of its own.
    { status: 'completed', to: 'wss://voice.example.com/ws/stream/agent_1' },
  ])('%o is nothing to a call', (said) => {
    expect(event(ofCall(said))).toEqual([]);
  });

  it('that a call is completed which nobody has picked up leaves it to others to say why', () => {
    const completed = { status: 'completed', start_time: null, duration: '0', price: '0' };
    expect(event(ofCall(completed))).toEqual([]);
    expect(event(ofCall({ ...completed, start_time: '', duration: 0 }))).toEqual([]);
    // Whoever calls us and does not wait is told of by nothing else.
    for (const direction of ['inbound', 'outbound'])
      expect(event({ ...ofCall(completed), direction }, 'status', null)).toMatchObject(
        direction === 'inbound' ? [{ report: { status: 'completed' } }] : [],
      );
    const start_time = '2026-11-21T00:00:00.000Z';
    for (const talk of [{ duration: '2' }, { start_time }, { duration: undefined }])
      expect(event(ofCall({ ...completed, ...talk }))).toMatchObject([{ report: { status: 'completed' } }]);
  });

  it('about our socket leaves the call to what it was told before', () => {
    for (const status of ['started', 'answered', 'disconnected', 'completed', 'failed'])
      expect(event(ofCall({ status }), 'stream-ended', null)).toEqual([{ kind: 'stream_notice' }]);
    expect(event({}, 'stream-ended', null)).toEqual([{ kind: 'stream_notice' }]);
  });
});

describe('an answer request of Vonage', () => {
  const query = `to=15557654321&from=14155550123&uuid=${CALL}&conversation_uuid=CON-1`;
  const incoming = { kind: 'incoming', providerCallId: CALL, from: '+14155550123', to: '+15557654321' };

  it('announces a call, in a query or in JSON', () => {
    const url = `https://calls.test/webhook/vonage/incoming?${query}`;
    expect(readVonageRequest('incoming', carrierRequest({ method: 'GET', url, headers: {} }), null)).toEqual([
      incoming,
    ]);
    expect(event(Object.fromEntries(new URLSearchParams(query)), 'incoming', null)).toEqual([incoming]);
  });

  it('may come from somebody who hides their number, and from one who is no number', () => {
    for (const from of ['anonymous', 'Unknown', '', 'sip:ada@example.com', null])
      expect(event({ ...ofCall({}), from }, 'incoming', null)).toMatchObject([{ from: null }]);
    expect(event({ from_user: 'Ada', to: '15557654321' }, 'incoming', null)).toEqual([
      { kind: 'incoming', providerCallId: null, from: null, to: '+15557654321' },
    ]);
  });

  it('asks for the document of a call of ours', () => {
    expect(event(ofCall({}), 'answer')).toEqual([{ kind: 'answered', providerCallId: CALL, dialRef: REF }]);
  });
});

it('what is signed stands above what only the address says', () => {
  const headers = { 'content-type': 'application/json' };
  const url = 'https://calls.test/webhook/vonage/status?status=completed&uuid=other';
  const request = carrierRequest({ url, headers, body: JSON.stringify(ofCall({ status: 'ringing' })) });
  expect(readVonageRequest('status', request, null)).toMatchObject([
    { report: { status: 'ringing', providerCallId: CALL } },
  ]);
});

it('whatever is sent is read, or left unread', () => {
  const words = fc.constantFrom(
    'uuid',
    'call_uuid',
    'status',
    'from',
    'to',
    'detail',
    '__proto__',
    'constructor',
  );
  const values = fc.oneof(
    fc.string(),
    fc.jsonValue(),
    fc.constantFrom('machine', 'completed', 'constructor'),
  );
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(words, values).map((said) => JSON.stringify(said)),
  );
  fc.assert(
    fc.property(fc.constantFrom(...CARRIER_REQUEST_KINDS), bodies, fc.webUrl(), (kind, body, url) => {
      const headers = { 'content-type': 'application/json' };
      for (const event of readVonageRequest(kind, carrierRequest({ body, url, headers }), null))
        expect(JSON.stringify(event)).not.toContain('\\u0000');
    }),
  );
});
