import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CarrierHttpRequest, CarrierEvent } from '#telephony/port/carrier-webhooks.js';
import { readTelnyxEvent } from '#telephony/carriers/telnyx/telnyx-events.js';
import {
  readClientState,
  writeClientState,
  type ClientState,
} from '#telephony/carriers/telnyx/client-state.js';

const REF = 'dial_01kakb8x6te1tr7m3qf0c9w2zd';
const ID = 'v3:MdI91X4lWFEs7IgbBEOT9M4AigoY08M0WWZFISt1Yw2axZ_IiE4pqg';
const AT = Date.UTC(2026, 10, 21, 12);

function requestOf(body: string): CarrierHttpRequest {
  const url = 'https://voice.example.com/webhook/telnyx/incoming';
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', url, headers, rawBody: Buffer.from(body), receivedAt: AT };
}

type Further = Record<string, unknown>;
function read(event_type: string, payload: Further, dialRef: string | null = null, data: Further = {}) {
  const event = { record_type: 'event', event_type, id: 'e1', payload: { call_control_id: ID, ...payload } };
  return readTelnyxEvent(requestOf(JSON.stringify({ data: { ...event, ...data }, meta: {} })), dialRef);
}

function statusOf([first]: readonly CarrierEvent[]) {
  return first?.kind === 'report' ? first.report : null;
}

const marked = (mark: ClientState) => ({ client_state: writeClientState(mark) });

describe('an event of Telnyx', () => {
  it.each([
    ['in dollars', { status: 'success', total_cost: '0.0123', cost_parts: [{ currency: 'USD' }] }, 0.0123],
    ['without parts', { total_cost: 0.5 }, 0.5],
    ['in another currency', { total_cost: '0.01', cost_parts: [{ currency: 'EUR' }] }, null],
    ['that could not be calculated', { status: 'error', total_cost: '0' }, null],
    ['that is none', { total_cost: 'free' }, null],
  ])('tells what a call costs, %s', (_what, payload, usd) => {
    const expected = usd === null ? [] : [{ kind: 'priced', providerCallId: ID, dialRef: REF, usd }];
    expect(read('call.cost', { ...payload, ...marked({ kind: 'dialled', dialRef: REF }) })).toEqual(expected);
  });

  it('announces a call that comes in', () => {
    const payload = { direction: 'incoming', from: '+14155550188', to: '+14155550177', state: 'parked' };
    expect(read('call.initiated', payload)).toEqual([
      { kind: 'incoming', providerCallId: ID, from: '+14155550188', to: '+14155550177' },
    ]);
    const hidden = { ...payload, from: 'anonymous', to: 'sip:desk@example.com' };
    expect(read('call.initiated', hidden)).toMatchObject([{ from: null, to: null }]);
  });

  it('says of a call of ours that it has begun, by its address or by what we have written on it', () => {
    const expected = [{ kind: 'report', report: { dialRef: REF, providerCallId: ID, status: 'ringing' } }];
    expect(read('call.initiated', { direction: 'outgoing' }, REF)).toMatchObject(expected);
    const payload = { direction: 'outgoing', ...marked({ kind: 'dialled', dialRef: REF }) };
    expect(read('call.initiated', payload)).toMatchObject(expected);
    expect(read('call_initiated', payload)).toMatchObject(expected);
  });

  it('asks what to do with a call of ours that somebody has picked up, and with no other', () => {
    expect(read('call.answered', {}, REF)).toMatchObject([
      { kind: 'answered', providerCallId: ID, dialRef: REF },
      { kind: 'report', report: { status: 'answered' } },
    ]);
    // Of a call that came in, and that we have answered.
    expect(read('call.answered', {})).toEqual([]);
  });

  it.each([
    ['user_busy', '486', 'busy'],
    ['timeout', null, 'timeout'],
    ['no_answer', '480', 'no_answer'],
    ['originator_cancel', '487', 'cancelled'],
    ['call_rejected', '603', 'rejected'],
    ['not_found', '404', 'invalid_number'],
    ['unspecified', '604', 'invalid_number'],
    ['unspecified', 503, 'failed'],
    ['something_new', null, 'failed'],
    ['time_limit', '200', 'completed'],
  ])('tells by %s (%s) how a call has ended: %s', (hangup_cause, sip_hangup_cause, status) => {
    const report = statusOf(read('call.hangup', { hangup_cause, sip_hangup_cause }, REF));
    expect(report).toMatchObject({ status, code: hangup_cause, hungUpBy: null });
  });

  it.each([
    [REF, 'callee', 'customer'],
    [REF, 'caller', 'agent'],
    [null, 'caller', 'customer'],
    [null, 'callee', 'agent'],
    [REF, 'unknown', null],
  ])('tells who hung up (%s, %s)', (dialRef, hangup_source, hungUpBy) => {
    const payload = { hangup_cause: 'normal_clearing', hangup_source };
    expect(statusOf(read('call.hangup', payload, dialRef))).toMatchObject({ status: 'completed', hungUpBy });
  });

  it('has the time of the carrier, and else that of its arrival', () => {
    const at = (occurred_at: unknown) =>
      statusOf(read('call.hangup', { hangup_cause: 'timeout' }, REF, { occurred_at }))?.at;
    expect(at('2026-11-21T11:59:58.521992Z')).toBe(AT - 1_479);
    expect(at('yesterday')).toBe(AT);
    expect(at(undefined)).toBe(AT);
  });

  it.each([
    ['call.machine.detection.ended', 'human', 'human', false],
    ['call.machine.detection.ended', 'machine', 'machine', false],
    ['call.machine.detection.ended', 'not_sure', 'unknown', false],
    ['call.machine.premium.detection.ended', 'human_business', 'human', false],
    ['call.machine.premium.detection.ended', 'fax_detected', 'fax', false],
    ['call.machine.greeting.ended', 'beep_detected', 'machine', true],
    ['call.machine.greeting.ended', 'not_sure', 'unknown', false],
  ])('tells who has picked up: %s, %s', (name, result, answeredBy, greetingEnded) => {
    expect(read(name, { result }, REF)).toEqual([
      { kind: 'machine', providerCallId: ID, dialRef: REF, answeredBy, greetingEnded },
    ]);
  });

  it('asks what to do with a call whose stream is over, unless it was handed over', () => {
    for (const name of ['streaming.stopped', 'streaming.failed']) {
      expect(read(name, {}, REF)).toEqual([{ kind: 'stream_ended', providerCallId: ID }]);
      expect(read(name, marked({ kind: 'handed_over' }), REF)).toEqual([]);
    }
  });

  it('of the line to whom a call was handed over to tells its end alone, which is that of the call', () => {
    const state = marked({ kind: 'other_leg', providerCallId: 'v3:the-first-line' });
    for (const name of ['call.initiated', 'call.answered', 'call.bridged', 'streaming.stopped'])
      expect(read(name, { direction: 'outgoing', ...state })).toEqual([]);
    expect(read('call.hangup', { hangup_cause: 'user_busy', ...state })).toEqual([
      { kind: 'stream_ended', providerCallId: 'v3:the-first-line' },
    ]);
  });

  it('is nothing to us when it is about something else, or no event at all', () => {
    for (const name of ['call.dtmf.received', 'call.recording.saved', 'constructor', ''])
      expect(read(name, {}, REF)).toEqual([]);
    for (const body of ['', '{', 'null', '[]', '{"data":{}}', '{"data":{"event_type":"call.hangup"}}'])
      expect(readTelnyxEvent(requestOf(body), REF)).toEqual([]);
  });

  it('never fails, whatever it says', () => {
    const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.constant('constructor'));
    const payload = fc.record({
      call_control_id: fc.oneof(fc.string(), anything),
      client_state: anything,
      direction: anything,
      hangup_cause: anything,
      sip_hangup_cause: anything,
      from: anything,
      result: anything,
    });
    const names = ['call.initiated', 'call.answered', 'call.hangup', 'call.machine.detection.ended'];
    fc.assert(
      fc.property(fc.constantFrom(...names), payload, (event_type, content) => {
        const body = JSON.stringify({ data: { event_type, id: 'e', payload: content } });
        const told = readTelnyxEvent(requestOf(body), null);
        expect(told.length).toBeLessThanOrEqual(2);
        for (const event of told)
          if (event.kind === 'report') expect(event.report.status).toBeTypeOf('string');
      }),
      { numRuns: 500 },
    );
  });
});

describe('a mark on a call', () => {
  it('is read back as it was written', () => {
    const marks: ClientState[] = [
      { kind: 'dialled', dialRef: REF },
      { kind: 'handed_over' },
      { kind: 'other_leg', providerCallId: ID },
    ];
    for (const mark of marks) expect(readClientState(writeClientState(mark))).toEqual(mark);
  });

  it('of somebody else is none', () => {
    const others = ['', 'have a nice day =]', 'dialled', 'dialled dial_short', 'other_leg', 'handed_over\n'];
    for (const text of others) expect(readClientState(Buffer.from(text).toString('base64')), text).toBeNull();
    expect(readClientState(null)).toBeNull();
    expect(readClientState('%%%')).toBeNull();
  });
});
