import { afterAll, beforeAll, expect, it } from 'vitest';
import { callWithSummary, transcriptOf } from '#test/support/call-story.js';
import { PEOPLE, TransferRig } from '#test/support/transfer-rig.js';
import { readStereoWav } from '#test/support/wav.js';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.open();
});
afterAll(() => rig?.service.close());

it('a person is told the briefing, takes the call by a key, and talks with the caller until they hang up', async () => {
  const id = await rig.begin(PEOPLE.caller, PEOPLE.presses.number);
  const { parent, leg } = await rig.bothOf(id);
  expect(leg).toMatchObject({
    parent_call_id: id,
    to_phone: PEOPLE.presses.number,
    from_phone: parent.from_phone,
    status: 'completed',
    ended_reason: 'customer_hangup',
  });
  expect(parent).toMatchObject({
    parent_call_id: null,
    status: 'completed',
    ended_reason: 'other_leg_ended',
    follow_up: { kind: 'transfer', to: PEOPLE.presses.number },
  });
  expect(await rig.saidIn(leg.id)).toEqual([
    'agent: hello there is a call for you anna wants to talk about a visit to take the call press or say yes',
    'customer: ',
    'agent: thank you you are being connected',
    expect.stringMatching(/^customer: .*calling/),
    expect.stringMatching(/^person: .*time/),
  ]);
  expect(await rig.saidIn(id)).toEqual([
    'agent: hello shall i connect you',
    'customer: yes please',
    'agent: one moment please',
    expect.stringMatching(/^person: .*calling/),
    expect.stringMatching(/^customer: .*time/),
  ]);

  await callWithSummary(rig.service.request, id);
  const { body } = await rig.service.request('GET', `/api/calls/${id}/recording/audio`);
  const { agent, sampleRateHz } = readStereoWav(body as Buffer);
  const words = (await transcriptOf(rig.service.request, id)).find(({ by }) => by === 'person')!;
  const [from, to] = [words.start_ms, words.end_ms].map((ms) => (ms * sampleRateHz) / 1_000);
  expect(Math.max(...agent.subarray(from, to).map(Math.abs))).toBeGreaterThan(2_000);
});

it('a person does not take the call: the caller is told, and goes on with the agent', async () => {
  const id = await rig.begin(PEOPLE.caller, PEOPLE.refuses.number);
  const { parent, leg } = await rig.bothOf(id);
  expect(leg).toMatchObject({ status: 'completed', ended_reason: 'agent_hangup' });
  expect(parent).toMatchObject({ ended_reason: 'agent_hangup', follow_up: null });
  expect(await rig.saidIn(id)).toContain('agent: i am sorry i could not connect you goodbye');
});
