import { describe, expect, it } from 'vitest';
import { readJambonzRequest } from '#telephony/carriers/jambonz/jambonz-callbacks.js';
import type { CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import { carrierRequest } from '#test/support/carrier-request.js';

const SID = 'b5e39996-bd2f-4bda-b928-355147186a2a';
const DIAL = `dial_${'0'.repeat(26)}`;
const INBOUND = {
  call_sid: SID,
  direction: 'inbound',
  from: '14155550123',
  to: '+15557654321',
  call_status: 'trying',
  sip: { headers: {} },
  sip_status: 100,
};
const OUTBOUND = { ...INBOUND, direction: 'outbound', call_status: 'in-progress', sip_status: 200 };

function read(kind: CarrierRequestKind, body: unknown, dialRef: string | null = DIAL, query = '') {
  return readJambonzRequest(
    kind,
    carrierRequest({
      url: `https://calls.test/webhook/jambonz/${kind}${query}`,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    dialRef,
  );
}

const statusIn = (told: object) =>
  read('status', { ...OUTBOUND, ...told }).map((event) =>
    event.kind === 'report' ? event.report.status : event,
  );

describe('a call that comes in', () => {
  it('has numbers with a plus, whatever the trunk wrote', () => {
    expect(read('incoming', INBOUND, null)).toEqual([
      { kind: 'incoming', providerCallId: SID, from: '+14155550123', to: '+15557654321' },
    ]);
    expect(read('incoming', { ...INBOUND, from: 'anonymous' }, null)).toMatchObject([{ from: null }]);
    expect(read('incoming', { ...INBOUND, to: 'front-desk' }, null)).toMatchObject([{ to: null }]);
  });

  it('may be told by a GET', () => {
    const request = carrierRequest({
      method: 'GET',
      url: `https://calls.test/webhook/jambonz/incoming?call_sid=${SID}&direction=inbound&from=%2B14155550123`,
    });
    expect(readJambonzRequest('incoming', request, null)).toMatchObject([
      { providerCallId: SID, from: '+14155550123', to: null },
    ]);
  });
});

describe('a call of ours', () => {
  it('is answered at the address that it was given, or at that of its application', () => {
    const answered = [{ kind: 'answered', providerCallId: SID, dialRef: DIAL }];
    expect(read('answer', OUTBOUND)).toEqual(answered);
    const tagged = { ...OUTBOUND, customerData: { dial_ref: DIAL } };
    expect(read('incoming', tagged, null)).toEqual(answered);
    expect(read('status', tagged, null)).toMatchObject([{ report: { dialRef: DIAL } }]);
    expect(
      read('incoming', { ...OUTBOUND, customerData: { dial_ref: 'something else' } }, null),
    ).toMatchObject([{ kind: 'answered', dialRef: null }]);
  });

  it.each([
    ['trying', 100, ['ringing']],
    ['queued', 100, ['ringing']],
    ['ringing', 180, ['ringing']],
    ['early-media', 183, ['ringing']],
    ['in-progress', 200, ['answered']],
    ['completed', 200, ['completed']],
    ['busy', 486, ['busy']],
    ['busy', 603, ['rejected']],
    ['no-answer', 487, ['no_answer']],
    ['failed', 408, ['no_answer']],
    ['failed', 480, ['no_answer']],
    ['failed', 404, ['invalid_number']],
    ['failed', 484, ['invalid_number']],
    ['failed', 403, ['rejected']],
    ['failed', 503, ['failed']],
    ['failed', undefined, ['failed']],
    ['something new', 200, []],
    ['constructor', 200, []],
    ['failed', 'constructor', ['failed']],
    [undefined, 200, []],
  ])('that is %s with %s is %j', (call_status, sip_status, statuses) => {
    expect(statusIn({ call_status, sip_status })).toEqual(statuses);
  });

  it('says who has hung up, when it was answered', () => {
    const by = (call_status: string, call_termination_by?: string) =>
      read('status', { ...OUTBOUND, call_status, call_termination_by })[0];
    expect(by('completed', 'caller')).toMatchObject({ report: { hungUpBy: 'customer', code: '200' } });
    expect(by('completed', 'jambonz')).toMatchObject({ report: { hungUpBy: 'agent' } });
    expect(by('completed')).toMatchObject({ report: { hungUpBy: null } });
    expect(by('no-answer', 'caller')).toMatchObject({ report: { hungUpBy: null } });
  });

  it('has another leg when it was handed over, of which nothing is known', () => {
    const leg = { ...OUTBOUND, call_sid: '65697994-594b-44c7-af2f-9d2cf5a1f3d7', parent_call_sid: SID };
    for (const kind of ['status', 'answer', 'incoming', 'machine'] as const)
      expect(read(kind, { ...leg, call_status: 'completed', type: 'amd_human_detected' })).toEqual([]);
  });

  it('is handed over to the number in the address', () => {
    expect(read('transfer', OUTBOUND, null, '?to=14155550199&from=14155550100')).toEqual([
      { kind: 'transfer', providerCallId: SID, to: '+14155550199', from: '+14155550100' },
    ]);
    for (const query of ['', '?to=14155550199', '?to=sip:a@b&from=14155550100', '?to=%2B1&from=14155550100'])
      expect(read('transfer', OUTBOUND, null, query)).toEqual([]);
  });
});

describe('machine detection', () => {
  it.each([
    ['amd_human_detected', 'human', false],
    ['amd_machine_detected', 'machine', false],
    ['amd_machine_stopped_speaking', 'machine', true],
    ['amd_no_speech_detected', 'unknown', false],
    ['amd_decision_timeout', 'unknown', false],
  ])('that says %s has found: %s', (type, answeredBy, greetingEnded) => {
    expect(read('machine', { ...OUTBOUND, type })).toEqual([
      { kind: 'machine', providerCallId: SID, dialRef: DIAL, answeredBy, greetingEnded },
    ]);
  });

  it.each(['amd_error', 'amd_stopped', 'amd_tone_detected', 'amd_tone_timeout', 'toString', ''])(
    'that says %j found nobody',
    (type) => {
      expect(read('machine', { ...OUTBOUND, type })).toEqual([]);
    },
  );
});

it.each(['', '{', '[]', '"x"', 'null', '{"call_sid":7}', '{"call_sid":" "}', '{"call_sid":{"a":1}}'])(
  'rubbish (%s) says nothing of a call',
  (body) => {
    for (const kind of ['answer', 'status', 'machine', 'transfer', 'stream-status', 'recording'] as const)
      expect(read(kind, body).filter(({ kind: found }) => found === 'report' || found === 'machine')).toEqual(
        [],
      );
    expect(read('incoming', body, null)).toMatchObject([{ kind: 'incoming', from: null, to: null }]);
  },
);
