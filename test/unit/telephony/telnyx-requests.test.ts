import { expect, it } from 'vitest';
import { telnyx } from '#telephony/carriers/telnyx/telnyx.js';
import { TelnyxCallControl } from '#telephony/carriers/telnyx/telnyx-call-control.js';
import { requireSuccess, isCallOver, TelnyxClient } from '#telephony/carriers/telnyx/telnyx-client.js';
import { writeClientState } from '#telephony/carriers/telnyx/client-state.js';
import type { ApiRequest } from '#telephony/wire/carrier-http.js';
import { REFUSED } from '#telephony/port/verdict.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { order, REF, signal } from './placing.js';

/** Telnyx, whose API answers each request with what `json` makes of it. */
function openWith(json: (sent: ApiRequest) => unknown) {
  const sent: ApiRequest[] = [];
  const send = async (request: ApiRequest) => {
    sent.push(request);
    return { status: 200, json: json(request), retryAfterMs: null };
  };
  const carrier = new TelnyxCallControl({
    clock: new FakeClock(),
    api: new TelnyxClient({ url: 'https://api.telnyx.test', apiKey: 'KEY' }, { send, close: async () => {} }),
    publicUrl: () => 'https://voice.example.com',
    codec: telnyx.codec,
    verify: () => REFUSED,
    connectionId: '1',
    callsPerSecond: 1,
    detectsMachines: false,
  });
  return { carrier, sent };
}

it.each([
  [1, 5],
  [30, 30],
  [700, 600],
])(
  'a call that may ring for %i seconds is asked for with the nearest that Telnyx takes: %i',
  async (asked, taken) => {
    const { carrier, sent } = openWith(() => ({ data: { call_control_id: 'v3:1' } }));
    await carrier.place(order('+15550100001', { ringTimeoutSeconds: asked }), signal);
    expect(JSON.parse(sent[0]!.body!)).toMatchObject({ timeout_secs: taken });
  },
);

const others = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ call_control_id: `v3:other-${at}`, client_state: null }));

it('a call is looked for on further pages of those that live, as far as there are any', async () => {
  const ours = {
    call_control_id: 'v3:ours',
    client_state: writeClientState({ kind: 'dialled', dialRef: REF }),
  };
  const { carrier, sent } = openWith(({ url }) =>
    url.includes('page[after]=second%3D')
      ? { data: [ours] }
      : { data: others(250), meta: { cursors: { after: 'second=' } } },
  );
  expect(await carrier.lookUp(REF, null)).toEqual({
    found: true,
    providerCallId: 'v3:ours',
    status: 'ringing',
  });
  expect(sent).toHaveLength(2);
});

it.each([
  ['a page that is not full is the last', 3, 1],
  ['no more than eight pages are read', 250, 8],
])('a call that is not found costs a bounded number of requests: %s', async (_why, calls, requests) => {
  const { carrier, sent } = openWith(() => ({
    data: others(calls),
    meta: { cursors: { after: 'more' } },
  }));
  expect(await carrier.lookUp(REF, null)).toEqual({ found: false });
  expect(sent).toHaveLength(requests);
});

it.each([
  [404, '10009', true],
  [404, '10005', true],
  [422, '90015', true],
  [422, '90016', true],
  [422, '90018', true],
  [422, '10016', false],
  [403, '10010', false],
])('a command that is refused with %i and %s says that its call is over: %s', (status, code, isOver) => {
  expect(isCallOver({ status, json: { errors: [{ code }] }, retryAfterMs: null })).toBe(isOver);
});

it.each([
  ['busy', 'USER_BUSY'],
  ['rejected', 'CALL_REJECTED'],
] as const)('a call that comes in is turned away as %s with the cause %s', async (reason, cause) => {
  const { carrier, sent } = openWith(() => ({ data: {} }));
  const call = { providerCallId: 'v3:1', isAnswered: false };
  await carrier.webhooks.perform!(call, [{ kind: 'reject', reason }], signal);
  expect(sent.map(({ url, body }) => [url, JSON.parse(body!)])).toEqual([
    ['https://api.telnyx.test/v2/calls/v3%3A1/actions/reject', { cause }],
  ]);
});

it('a refusal that says that there are too many requests is one for now, whatever its status', () => {
  const answer = { status: 403, json: { errors: [{ code: '10011' }] }, retryAfterMs: null };
  expect(() => requireSuccess(answer)).toThrow(
    expect.objectContaining({ outcome: 'not_dialled', reason: 'rate_limited', code: '10011' }),
  );
});
