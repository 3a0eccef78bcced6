import { expect, it } from 'vitest';
import { agentTransactions } from '#agents/definitions/agent-store.js';
import type { AskReceiver } from '#calls/inbound/inbound-lookup.js';
import { CallRig } from '#test/support/call-rig.js';
import { databaseOn, engines } from '#test/support/engines.js';

/** Answers a question that waits. */
type Answer = (answer: Awaited<ReturnType<AskReceiver>>) => void;

/** A service with room for two, which asks about every call and gets its answers from the test. */
async function open(database: { databaseUrl?: string } = {}) {
  const rig = await CallRig.open({ maxConcurrentCalls: 2, ...database });
  const { clock, ids, store } = rig;
  const workspace = 'default';
  const { id } = await store.write(agentTransactions.ensureDefault, {
    workspace,
    id: ids.next('agent'),
    at: clock.wallMs(),
  });
  await store.write(agentTransactions.update, {
    workspace,
    id,
    newSecret: 'whsec_AAECAwQFBgcICQoLDA0ODw==',
    at: clock.wallMs(),
    changes: { lookup_url: 'https://example.com/who-calls' },
  });
  const asked: { callId: string; answer: Answer }[] = [];
  rig.askReceiver = (question) => new Promise((answer) => asked.push({ callId: question.id, answer }));
  const arrive = (providerCallId: string) =>
    rig.callService.carrierHost.receive({
      carrier: rig.carrier.name,
      providerCallId,
      from: '+14155550188',
      to: '+14155550177',
    });
  return { rig, asked, arrive };
}

it.each(engines)('whoever waits for an answer keeps nobody else waiting (%s)', async (engine) => {
  const { rig, asked, arrive } = await open(await databaseOn(engine));
  const first = arrive('CA1');
  await rig.until(() => asked.length === 1);
  const second = arrive('CA2');
  await rig.until(() => asked.length === 2);
  asked[1]!.answer({ body: '{"variables":{"name":"Ada"}}' });
  expect(await second).toMatchObject({ kind: 'talk' });
  expect((await rig.call(asked[1]!.callId)).customer_data).toEqual({ name: 'Ada' });

  expect(await arrive('CA3')).toEqual({ kind: 'no_room' });
  expect(asked).toHaveLength(2);
  asked[0]!.answer({ failure: 'timeout' });
  expect(await first).toMatchObject({ kind: 'talk' });
});

it('a call that is announced again meanwhile takes no second place, and is asked about once', async () => {
  const { rig, asked, arrive } = await open();
  const first = arrive('CA1');
  await rig.until(() => asked.length === 1);
  const again = [arrive('CA1'), arrive('CA1')];
  const other = arrive('CA2');
  await rig.until(() => asked.length === 2);
  for (const { answer } of asked) answer({ body: null });

  expect(await other).toMatchObject({ kind: 'talk' });
  const receptions = await Promise.all([first, ...again]);
  const callIds = receptions.map((reception) =>
    reception.kind === 'talk' ? reception.stream.parameters['call_id'] : reception.kind,
  );
  expect(callIds).toEqual(Array(3).fill(asked[0]!.callId));
  expect(asked).toHaveLength(2);
});

it('a caller who hangs up meanwhile is missed, and keeps no place', async () => {
  const { rig, asked, arrive } = await open();
  const reception = arrive('CA1');
  await rig.until(() => asked.length === 1);
  const said = {
    carrier: rig.carrier.name,
    dialRef: null,
    providerCallId: 'CA1',
    status: 'completed',
  } as const;
  const report = rig.callService.carrierHost.report({
    ...said,
    code: null,
    hungUpBy: null,
    at: rig.clock.wallMs(),
  });
  asked[0]!.answer({ body: null });
  await Promise.all([reception, report]);

  expect(await rig.call(asked[0]!.callId)).toMatchObject({ status: 'missed', ended_reason: 'caller_hangup' });
  const others = [arrive('CA2'), arrive('CA3')];
  await rig.until(() => asked.length === 3);
  for (const { answer } of asked) answer({ body: null });
  expect(await Promise.all(others)).toMatchObject([{ kind: 'talk' }, { kind: 'talk' }]);
});

it('a service that stops lets a call in that it has asked about, and nobody new', async () => {
  const { rig, asked, arrive } = await open();
  const first = arrive('CA1');
  await rig.until(() => asked.length === 1);
  void rig.callService.drain(10_000);
  asked[0]!.answer({ body: null });

  expect(await first).toMatchObject({ kind: 'talk' });
  expect(await arrive('CA2')).toEqual({ kind: 'no_room' });
});
