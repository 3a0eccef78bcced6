import { beforeEach, expect, it } from 'vitest';
import { agentUnits } from '../../../src/agents/agent-store.js';
import type { AskReceiver } from '../../../src/calls/inbound-lookup.js';
import { CallRig } from '../../support/call-rig.js';

/** Answers a question that waits. */
type Answer = (answer: Awaited<ReturnType<AskReceiver>>) => void;

let rig: CallRig;
let asked: { callId: string; answer: Answer }[];
beforeEach(async () => {
  rig = await CallRig.open({ maxConcurrentCalls: 2 });
  const { id } = await rig.store.write(agentUnits.ensureDefault, {
    ...{ workspace: 'default', id: rig.ids.next('agent'), at: rig.clock.wallMs() },
  });
  await rig.store.write(agentUnits.update, {
    ...{ workspace: 'default', id, newSecret: 'whsec_AAECAwQFBgcICQoLDA0ODw==', at: rig.clock.wallMs() },
    changes: { lookup_url: 'https://example.com/who-calls' },
  });
  asked = [];
  rig.askReceiver = ({ id: callId }) => new Promise((answer) => asked.push({ callId, answer }));
});

function arrive(providerCallId: string) {
  return rig.centre.carrierHost.receive({
    ...{ carrier: rig.carrier.name, providerCallId, from: '+14155550188', to: '+14155550177' },
  });
}

it('whoever waits for an answer keeps nobody else waiting', async () => {
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

it('a service that stops waits for the answer, and takes nobody new', async () => {
  const first = arrive('CA1');
  await rig.until(() => asked.length === 1);
  void rig.centre.drain(10_000);
  asked[0]!.answer({ body: null });

  expect(await first).toMatchObject({ kind: 'talk' });
  expect(await arrive('CA2')).toEqual({ kind: 'no_room' });
});
