import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from '#test/support/tier.js';
import { callOnce } from '#test/support/call-story.js';
import { BUSY, NO_ANSWER, PEOPLE, PREMIUM, TransferRig, VOICEMAIL } from '#test/support/transfer-rig.js';

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.open();
});
afterAll(() => rig?.service.close());

it('a person takes the call in words, and talks with the caller until that one hangs up', async () => {
  const { parent, leg } = await rig.bothOf(await rig.begin(PEOPLE.parting, PEOPLE.agrees.number));
  expect(parent).toMatchObject({
    ended_reason: 'customer_hangup',
    follow_up: { kind: 'transfer', to: PEOPLE.agrees.number },
  });
  expect(leg).toMatchObject({ status: 'completed', ended_reason: 'other_leg_ended' });
});

/** People who do not take a call, without a word. */
const UNANSWERED = [
  ['is busy', BUSY, 'busy'],
  ['does not answer in time', NO_ANSWER, 'no_answer'],
  ['has a number that is never called', PREMIUM, 'premium_number'],
];

it.each([['is a machine', VOICEMAIL, 'voicemail'], ...drawn(1, UNANSWERED)])(
  'a person %s: the caller is told, and goes on with the agent',
  async (_, desk, reason) => {
    const id = await rig.begin(PEOPLE.caller, desk);
    const { parent, leg } = await rig.bothOf(id);
    expect(leg).toMatchObject({ ended_reason: reason });
    expect(parent).toMatchObject({ ended_reason: 'agent_hangup', follow_up: null });
    expect(await rig.saidIn(id)).toContain('agent: i am sorry i could not connect you goodbye');
  },
);

describe('meanwhile', () => {
  it('a caller who hangs up takes the ringing phone of the person along', async () => {
    const { parent, leg } = await rig.bothOf(await rig.begin(PEOPLE.hurried, NO_ANSWER));
    expect(parent).toMatchObject({ ended_reason: 'customer_hangup', follow_up: null });
    expect(leg).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled', answered_at: null });
  });

  it.each([
    ['an operator takes the caller over, and hands them back', ['take-over', 'hand-back']],
    ['the caller is taken off hold', ['resume']],
  ])('%s: the agent knows that it came to nothing', async (_, acts) => {
    const id = await rig.begin(PEOPLE.caller, NO_ANSWER);
    const { id: legId } = await rig.legOnce(id, 'connecting');
    for (const act of acts) expect((await rig.steer(id, act)).status, act).toBe(200);
    expect(await callOnce(rig.service.request, legId)).toMatchObject({ ended_reason: 'cancelled' });
    expect(await callOnce(rig.service.request, id)).toMatchObject({ ended_reason: 'agent_hangup' });
    expect(await rig.saidIn(id)).toContain('agent: i am sorry i could not connect you goodbye');
  });
});

describe('an operator', () => {
  it('puts a caller on hold, and has the agent go on', async () => {
    const id = await rig.asked();
    expect((await rig.steer(id, 'hold')).body).toMatchObject({ mode: 'held' });
    for (const act of ['hold', 'mute']) expect((await rig.steer(id, act)).status, act).toBe(409);
    expect((await rig.steer(id, 'resume')).body).toMatchObject({ mode: 'agent' });
    expect((await rig.steer(id, 'resume')).status).toBe(409);
    await rig.hears(id, /still there.*connect you/);
    await rig.steer(id, 'disconnect');
  });

  it('leaves nobody on hold for longer than the limit', async () => {
    const id = await rig.asked();
    const since = rig.time.wallMs();
    await rig.steer(id, 'hold');
    await rig.hears(id, /still there/);
    expect(rig.time.wallMs() - since).toBeGreaterThan(60_000);
    expect(rig.time.wallMs() - since).toBeLessThan(70_000);
    await rig.steer(id, 'disconnect');
  });

  it('has a caller joined, who comes back to the agent when the person has hung up', async () => {
    const id = await rig.asked();
    const wish = { to_number: PEOPLE.presses.number, mode: 'warm', briefing: 'Anna is here.', stay: true };
    expect((await rig.steer(id, 'transfer', wish)).body).toMatchObject({ mode: 'held' });
    for (const act of ['transfer', 'whisper'])
      expect((await rig.steer(id, act, act === 'transfer' ? wish : undefined)).status, act).toBe(409);
    const leg = await rig.legOnce(id, 'active');
    await rig.hears(id, /calling/);
    expect((await rig.steer(id, 'whisper')).body).toMatchObject({
      mode: 'joined',
      socket: `/ws/calls/${id}/whisper`,
    });
    for (const act of ['take-over', 'hold', 'mute', 'resume', 'transfer'])
      expect((await rig.steer(id, act, act === 'transfer' ? wish : undefined)).status, act).toBe(409);
    expect(await callOnce(rig.service.request, leg.id)).toMatchObject({ ended_reason: 'customer_hangup' });
    await rig.hears(id, /connect[^]*connect/);
    expect((await rig.steer(id, 'say', { text: 'Hello again.' })).body).toMatchObject({ mode: 'agent' });
    await rig.steer(id, 'disconnect');
    expect(await callOnce(rig.service.request, id)).toMatchObject({
      ended_reason: 'api_disconnect',
      follow_up: { kind: 'transfer', to: PEOPLE.presses.number },
    });
  });

  it('ends a joined call on both lines', async () => {
    const id = await rig.asked();
    await rig.steer(id, 'transfer', { to_number: PEOPLE.agrees.number, mode: 'warm' });
    await rig.hears(id, /calling/);
    await rig.steer(id, 'disconnect');
    const { parent, leg } = await rig.bothOf(id);
    expect(parent).toMatchObject({ ended_reason: 'api_disconnect' });
    expect(leg).toMatchObject({ ended_reason: 'other_leg_ended' });
  });
});
