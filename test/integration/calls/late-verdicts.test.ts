import { describe, expect, it } from 'vitest';
import type { LookUp } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';

/** A call whose phone has rung for longer than any phone may, and whose carrier takes its time to say how it stands. */
async function overdue() {
  const rig = await CallRig.started();
  const asked: ((found: LookUp) => void)[] = [];
  rig.carrier.lookUp = () => new Promise((resolve) => void asked.push(resolve));
  const call = await rig.create();
  await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
  await rig.pass(74_000, 1_000);
  await rig.until(() => asked.length > 0);
  const line = { found: true, providerCallId: providerIdOf(rig.carrier.placed[0]!.dialRef) } as const;
  return { rig, call, asked, tell: (status: 'ringing' | 'answered') => asked[0]!({ ...line, status }) };
}

describe('a call that rings for too long', () => {
  it('is not ended when it is picked up while its carrier is asked about it', async () => {
    const { rig, call, tell } = await overdue();
    const instruction = await rig.carrier.answer();
    tell('answered');
    await rig.openStream({ kind: 'token', token: instruction!.parameters['token']! });
    await rig.pass(5_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'active', ended_reason: null });
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it('is ended when it still rings after its carrier was asked, and the carrier is asked once', async () => {
    const { rig, call, asked, tell } = await overdue();
    await rig.pass(3_000);
    tell('ringing');
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'dial_timeout' });
    expect(asked).toHaveLength(1);
    await rig.until(() => rig.carrier.hungUp.length === 1);
  });

  it('keeps no other call from being ended in time while its carrier says nothing', async () => {
    const rig = await CallRig.started();
    rig.carrier.lookUp = () => new Promise(() => {});
    rig.carrier.hangUp = () => new Promise(() => {});
    const silent = await rig.create();
    await rig.until(async () => (await rig.call(silent.id)).provider_call_id !== null);
    await rig.pass(64_000, 1_000);
    const talk = await rig.talking({ to_phone: '+14155550124', timeout_seconds: 12 });
    // While the carrier is asked about the first one.
    await rig.pass(14_500, 250);
    expect((await rig.call(silent.id)).ended_at).toBeNull();
    expect(await rig.call(talk.id)).toMatchObject({ ended_reason: 'max_duration' });
  });
});
