import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CARRIER_REQUEST_KINDS, type CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { readPlivoRequest } from '#telephony/carriers/plivo/plivo-callbacks.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const DIAL_REF = 'dial_01h455vb4pex5vsknk084sn02q';
const CALL = '9834029e-58b6-11e1-b8b7-a5bd0e4e126f';
const REQUEST = '5d8e2bd6-7b5f-11e1-b8b7-a5bd0e4e126f';
const OUTBOUND = {
  CallUUID: CALL,
  RequestUUID: REQUEST,
  ALegRequestUUID: REQUEST,
  ALegUUID: CALL,
  From: '15550000000',
  To: '15550100003',
  Direction: 'outbound',
  BillRate: '0.0055',
};
const INBOUND = { CallUUID: CALL, From: '14155550188', To: '14155550177', Direction: 'inbound' };

function read(kind: CarrierRequestKind, form: Record<string, string>, dialRef: string | null = DIAL_REF) {
  return readPlivoRequest(kind, carrierRequest({ body: new URLSearchParams(form).toString() }), dialRef);
}

function reported(form: Record<string, string>, dialRef: string | null = DIAL_REF) {
  return read('status', { ...OUTBOUND, Event: 'Hangup', ...form }, dialRef).map(
    (event) => event.kind === 'report' && event.report,
  );
}

describe('what Plivo says', () => {
  it('tells what a call cost, with its end alone', () => {
    const ended = { ...OUTBOUND, Event: 'Hangup', CallStatus: 'completed', TotalCost: '0.01100' };
    expect(read('status', ended)).toMatchObject([
      { kind: 'report', report: { status: 'completed' } },
      { kind: 'priced', providerCallId: CALL, dialRef: DIAL_REF, usd: 0.011 },
    ]);
    const rings = read('status', { ...ended, Event: 'Ring', CallStatus: 'ringing' });
    expect(rings.some(({ kind }) => kind === 'priced')).toBe(false);
  });

  it('announces a call, with numbers that get their plus, or without one', () => {
    const announced = { ...INBOUND, CallStatus: 'ringing', Event: 'StartApp', NewField: 'x' };
    expect(read('incoming', announced, null)).toEqual([
      { kind: 'incoming', providerCallId: CALL, from: '+14155550188', to: '+14155550177' },
    ]);
    expect(read('incoming', { ...announced, From: 'anonymous' }, null)).toMatchObject([{ from: null }]);
    expect(read('incoming', { ...announced, From: 'sip:me@example.com' }, null)).toMatchObject([
      { from: null },
    ]);
  });

  it('is told to the address of the announcement when a call ends, where there is no other', () => {
    const end = { ...INBOUND, Event: 'Hangup', CallStatus: 'completed', HangupSource: 'Caller' };
    for (const kind of ['incoming', 'answer'] as const)
      expect(read(kind, end, null), kind).toMatchObject([
        { kind: 'report', report: { status: 'completed', hungUpBy: 'customer', dialRef: null } },
      ]);
  });

  it('names a call and the request that it was', () => {
    const names = { providerCallId: CALL, placedAs: REQUEST, dialRef: DIAL_REF };
    const answered = read('answer', { ...OUTBOUND, Event: 'StartApp', CallStatus: 'in-progress' });
    expect(answered).toEqual([
      { kind: 'answered', ...names },
      {
        kind: 'report',
        report: {
          carrier: 'plivo',
          ...names,
          status: 'answered',
          code: null,
          hungUpBy: null,
          at: 1_700_000_000_000,
        },
      },
    ]);
    expect(reported({ Event: 'Ring', CallStatus: 'ringing' })).toMatchObject([
      { ...names, status: 'ringing' },
    ]);
  });

  it('leaves out what a call was requested as where there is one id for both', () => {
    const [same] = reported({ RequestUUID: CALL, CallStatus: 'ringing' });
    expect(same).not.toHaveProperty('placedAs');
    const { CallUUID: _none, ...withoutCall } = OUTBOUND;
    const [request] = read('status', { ...withoutCall, CallStatus: 'failed' });
    expect(request).toMatchObject({ report: { providerCallId: REQUEST, status: 'failed' } });
  });

  it.each([
    [{ CallStatus: 'completed', HangupCauseCode: '4000' }, 'completed'],
    [{ CallStatus: 'busy', HangupCauseCode: '3010' }, 'busy'],
    [{ CallStatus: 'busy', HangupCauseCode: '3020' }, 'rejected'],
    [{ CallStatus: 'no-answer', HangupCauseCode: '3000' }, 'no_answer'],
    [{ CallStatus: 'timeout', HangupCauseCode: '6010' }, 'timeout'],
    [{ CallStatus: 'timeout', HangupCauseCode: '1000', HangupCause: 'ORIGINATOR_CANCEL' }, 'timeout'],
    [{ CallStatus: 'cancel', HangupCauseCode: '1000' }, 'cancelled'],
    [{ CallStatus: 'cancel' }, 'cancelled'],
    [{ CallStatus: 'completed', HangupCauseCode: '1000' }, 'cancelled'],
    [{ CallStatus: 'failed', HangupCauseCode: '2000' }, 'invalid_number'],
    [{ CallStatus: 'failed', HangupCauseCode: '2010' }, 'invalid_number'],
    [{ CallStatus: 'failed', HangupCauseCode: '1010' }, 'failed'],
    [{ CallStatus: 'failed', HangupCauseCode: '2040' }, 'failed'],
    [{ CallStatus: 'failed', HangupCauseCode: '6010' }, 'no_answer'],
    [{ CallStatus: 'failed', HangupCause: 'UNALLOCATED_NUMBER' }, 'invalid_number'],
    [{ CallStatus: 'failed', HangupCause: 'CALL_REJECTED' }, 'rejected'],
    [{ CallStatus: 'FAILED' }, 'failed'],
  ])('of an end %o means %s', (form, status) => {
    expect(reported(form)).toMatchObject([{ status, hungUpBy: null }]);
  });

  it('tells whose call it was where the address has no reference of ours', () => {
    const ended = { CallStatus: 'completed', HangupSource: 'Callee' };
    expect(reported(ended, null)).toMatchObject([{ hungUpBy: 'customer' }]);
    expect(reported({ ...ended, Direction: 'inbound' }, null)).toMatchObject([{ hungUpBy: null }]);
  });

  it('keeps the code of an end, or else its name', () => {
    expect(reported({ CallStatus: 'busy', HangupCauseCode: '3010', HangupCause: 'USER_BUSY' })).toMatchObject(
      [{ code: '3010' }],
    );
    expect(reported({ CallStatus: 'busy', HangupCause: 'USER_BUSY' })).toMatchObject([{ code: 'USER_BUSY' }]);
  });

  it.each([
    ['Callee', '4000', 'outbound', 'customer'],
    ['Call recipient', '4000', 'outbound', 'customer'],
    ['Caller', '4000', 'outbound', null],
    ['Caller', '4000', 'inbound', 'customer'],
    ['API Request', '4000', 'outbound', 'agent'],
    ['Answer XML', '4000', 'inbound', 'agent'],
    ['Plivo', '4010', 'outbound', 'agent'],
    ['Plivo', '1010', 'outbound', null],
    ['Carrier', '4000', 'outbound', null],
  ])('knows that %s with %s ended a talk (%s): %s', (source, code, direction, by) => {
    const form = {
      CallStatus: 'completed',
      HangupSource: source,
      HangupCauseCode: code,
      Direction: direction,
    };
    expect(reported(form, direction === 'outbound' ? DIAL_REF : null)).toMatchObject([{ hungUpBy: by }]);
  });

  it('tells machines from people, and nothing else from its silence', () => {
    const told = { ...OUTBOUND, Event: 'MachineDetection', IfMachine: 'continue' };
    const event = { kind: 'machine', providerCallId: CALL, dialRef: DIAL_REF, greetingEnded: false };
    expect(read('machine', { ...told, Machine: 'true' })).toEqual([{ ...event, answeredBy: 'machine' }]);
    expect(read('machine', { ...told, Machine: 'false' })).toMatchObject([{ answeredBy: 'human' }]);
    expect(read('machine', told)).toEqual([]);
  });

  it('asks how a call goes on, after its stream and when it is handed over', () => {
    expect(read('stream-ended', OUTBOUND)).toEqual([{ kind: 'stream_ended', providerCallId: CALL }]);
    expect(read('stream-status', { ...OUTBOUND, Event: 'StopStream' })).toEqual([]);
    expect(read('stream-status', { ...OUTBOUND, Event: 'DroppedStream' })).toEqual([
      { kind: 'stream_failed', providerCallId: CALL },
    ]);
    const url = 'https://calls.test/webhook/plivo/transfer?to=15550100009&from=15550000000';
    const body = new URLSearchParams(OUTBOUND).toString();
    expect(readPlivoRequest('transfer', carrierRequest({ url, body }), null)).toEqual([
      { kind: 'transfer', providerCallId: CALL, to: '+15550100009', from: '+15550000000' },
    ]);
  });

  it('may be a GET with the same in its query', () => {
    const url = `https://calls.test/webhook/plivo/incoming?${new URLSearchParams(INBOUND).toString()}`;
    expect(readPlivoRequest('incoming', carrierRequest({ method: 'GET', url }), null)).toMatchObject([
      { providerCallId: CALL, from: '+14155550188' },
    ]);
  });

  it('may be anything: what is not understood says nothing, and is never a fault', () => {
    expect(reported({ CallStatus: 'dancing' })).toEqual([]);
    expect(reported({ CallStatus: 'constructor' })).toEqual([]);
    expect(
      reported({ CallStatus: 'failed', HangupCauseCode: '__proto__', HangupCause: 'toString' }),
    ).toMatchObject([{ status: 'failed' }]);
    expect(read('status', { CallStatus: 'busy' })).toEqual([]);
    expect(read('answer', {})).toEqual([]);
    const names = fc.constantFrom('CallUUID', 'RequestUUID', 'CallStatus', 'Event', 'Machine', 'From', 'Any');
    const values = fc.oneof(fc.string(), fc.constantFrom('completed', 'Hangup', 'true', '14155550188'));
    fc.assert(
      fc.property(
        fc.constantFrom(...CARRIER_REQUEST_KINDS),
        fc.dictionary(names, values),
        fc.uint8Array(),
        (kind, form, rubbish) => {
          for (const said of [read(kind, form), read(kind, form, null)])
            for (const event of said) expect(JSON.stringify(event)).not.toContain('\\u0000');
          const request = carrierRequest({ body: Buffer.from(rubbish) });
          expect(() => readPlivoRequest(kind, request, null)).not.toThrow();
        },
      ),
    );
  });
});
