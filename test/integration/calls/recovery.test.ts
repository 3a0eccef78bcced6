import { describe, expect, it } from 'vitest';
import { lookUnits } from '../../support/call-look-units.js';
import { CallRig } from '../../support/call-rig.js';
import { providerIdOf } from '../../support/scripted-carrier.js';

/** A process that stopped existing: nothing of it runs on, and nothing was tidied up. */
async function abandoned(prepare: (rig: CallRig) => Promise<string>) {
  const rig = await CallRig.open();
  await rig.centre.start();
  const callId = await prepare(rig);
  const before = rig.carrier.placed.length;
  const next = rig.build();
  await next.start();
  return { rig, callId, before };
}

describe('what a dead process left behind', () => {
  it('a talk is ended with a reason, at the time its recording ends, and hung up', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.talking();
      await fresh.pass(4_000);
      return call.id;
    });
    const ended = await rig.call(callId);
    expect(ended).toMatchObject({ status: 'failed', ended_reason: 'server_crash', fault: 'platform' });
    expect(ended.ended_at! - ended.answered_at!).toBe(2_000);
    expect(rig.carrier.hungUp).toHaveLength(1);
    const types = await rig.eventTypes(callId);
    expect(types.filter((type) => /completed|failed/.test(type))).toEqual(['call.failed']);
  });

  it('a phone that still rings is taken over', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(async () => (await fresh.call(call.id)).provider_call_id !== null);
      fresh.carrier.found = (dialRef) => ({
        found: true,
        providerCallId: providerIdOf(dialRef),
        status: 'ringing',
      });
      return call.id;
    });
    expect((await rig.call(callId)).ended_at).toBeNull();
    await rig.carrier.report('busy');
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
  });

  it('a phone that the carrier knows nothing of any more is a call that was interrupted', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(async () => (await fresh.call(call.id)).provider_call_id !== null);
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
  });

  it('does not keep a process from starting and living when the carrier says nothing about it', async () => {
    const rig = await CallRig.open();
    await rig.centre.start();
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    rig.carrier.lookUp = () => new Promise(() => {});
    const next = rig.build();
    let isStarted = false;
    void next.start().then(() => (isStarted = true));
    await rig.pass(7_000);
    const beats = await rig.store.read(lookUnits.heartbeats, {});
    expect(Math.max(...beats)).toBeGreaterThan(rig.clock.wallMs() - 5_000);
    await rig.until(() => isStarted);
    expect((await rig.call(call.id)).ended_at).toBeNull();
  });

  it('a request whose answer never came is looked up, and not simply made again', async () => {
    const { rig, callId, before } = await abandoned(async (fresh) => {
      fresh.carrier.answers.push(() => new Promise(() => {}));
      const call = await fresh.create();
      await fresh.until(() => fresh.carrier.placed.length === 1);
      return call.id;
    });
    expect(before).toBe(1);
    await rig.until(() => rig.carrier.lookedUp.length >= 1);
    expect(rig.carrier.placed).toHaveLength(1);
    expect((await rig.call(callId)).ended_at).toBeNull();
    await rig.pass(17_000);
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed[1]!.dialRef).toBe(rig.carrier.placed[0]!.dialRef);
  });
});
