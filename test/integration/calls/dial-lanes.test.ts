import { describe, expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { databaseOn, engines } from '#test/support/engines.js';

describe.each(engines)('the lanes of the queue on %s', (engine) => {
  async function openRig(maxConcurrentCalls: number): Promise<CallRig> {
    return CallRig.open({ maxConcurrentCalls, ...(await databaseOn(engine)) });
  }

  /** So many calls that wait, to numbers that tell what they are. */
  async function wait(rig: CallRig, count: number, lane: 'single' | 'batch'): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const to_phone = `+1415555${lane === 'batch' ? 2 : 1}${String(at).padStart(3, '0')}`;
      const { id } = await rig.create({ to_phone });
      await rig.store.write(lookTransactions.putInLane, { callId: id, lane });
      ids.push(id);
      await rig.clock.advance(1);
    }
    return ids;
  }

  const lanesDialled = (rig: CallRig) =>
    rig.carrier.placed.map(({ to }) => (to.startsWith('+14155552') ? 'b' : 's')).join('');

  it('let single calls pass a batch that waited before them, and the batch go on', async () => {
    const rig = await openRig(1);
    await wait(rig, 5, 'batch');
    await wait(rig, 6, 'single');
    await rig.callService.start();
    for (let call = 1; call <= 11; call += 1) {
      await rig.until(() => rig.carrier.placed.length === call);
      await rig.carrier.report('busy');
    }
    expect(lanesDialled(rig)).toBe('ssssbssbbbb');
  });

  it('fill every slot, whichever lane is short', async () => {
    const rig = await openRig(10);
    await wait(rig, 1, 'batch');
    await wait(rig, 14, 'single');
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 10);
    expect([...lanesDialled(rig)].sort().join('')).toBe('bsssssssss');
  });

  it('leave no place free for a batch when none waits', async () => {
    const rig = await openRig(10);
    await wait(rig, 5, 'single');
    const now = rig.clock.wallMs();
    const lease = { nodeId: 'node_1', leaseUntil: now + 1_000 };
    expect(
      await rig.store.write(dialTransactions.claim, { ...lease, now, limit: 5, forBatches: 2 }),
    ).toHaveLength(5);
  });

  it('are dialled once each, however many processes take from both', async () => {
    const rig = await openRig(50);
    await wait(rig, 20, 'batch');
    await wait(rig, 20, 'single');
    await Promise.all([rig.callService, rig.build(), rig.build()].map((callService) => callService.start()));
    await rig.until(() => rig.carrier.placed.length >= 40);
    await rig.pass(5_000);
    expect(new Set(rig.carrier.placed.map(({ to }) => to)).size).toBe(40);
    expect(rig.carrier.placed).toHaveLength(40);
  });

  it('both wake the dialler, and both end when they waited too long', async () => {
    const rig = await openRig(1);
    const [ofBatch] = await wait(rig, 1, 'batch');
    const now = rig.clock.wallMs();
    expect(await rig.store.read(dialTransactions.nextDueAt, { now })).toBe(now - 1);
    const [single] = await wait(rig, 1, 'single');
    expect(await rig.store.read(dialTransactions.nextDueAt, { now })).toBe(now - 1);
    await rig.store.write(lookTransactions.waitUntil, { callId: ofBatch!, at: now });
    expect(await rig.store.read(dialTransactions.nextDueAt, { now })).toBe(now);
    await rig.store.write(lookTransactions.waitUntil, { callId: single!, at: now });
    expect(await rig.store.read(dialTransactions.nextDueAt, { now })).toBeNull();
    await rig.callService.start();
    for (const id of [ofBatch!, single!])
      expect(await rig.reaches(id, 'failed')).toMatchObject({ ended_reason: 'expired' });
    expect(rig.carrier.placed).toHaveLength(0);
  });

  it('each go by the time of a call, and not by when it was asked for', async () => {
    const rig = await openRig(1);
    const inSeconds = (seconds: number) => new Date(rig.clock.wallMs() + seconds * 1_000).toISOString();
    for (const [to_phone, seconds] of [
      ['+14155550003', 90],
      ['+14155550001', 30],
      ['+14155550002', 60],
    ] as const) {
      await rig.create({ to_phone, scheduled_time: inSeconds(seconds) });
      await rig.clock.advance(1);
    }
    await rig.clock.advance(120_000);
    await rig.callService.start();
    for (let call = 1; call <= 3; call += 1) {
      await rig.until(() => rig.carrier.placed.length === call);
      await rig.carrier.report('busy');
    }
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550001', '+14155550002', '+14155550003']);
  });

  it('are kept by a call that the carrier did not take yet', async () => {
    const rig = await openRig(1);
    const [callId] = await wait(rig, 1, 'batch');
    const lease = { nodeId: 'node', leaseUntil: rig.clock.wallMs() + 45_000 };
    const now = rig.clock.wallMs();
    const [attempt] = await rig.store.write(dialTransactions.claim, {
      ...lease,
      now,
      limit: 1,
      forBatches: 0,
    });
    expect(attempt).toMatchObject({ call_id: callId, lane: 'batch' });
    const attemptId = attempt!.id;
    await rig.store.write(dialTransactions.postpone, {
      attemptId,
      lease,
      dueAt: now,
      mayHaveRung: false,
      at: now,
    });
    const [again] = await rig.store.write(dialTransactions.claim, { ...lease, now, limit: 1, forBatches: 1 });
    expect(again).toMatchObject({ id: attempt!.id, lane: 'batch' });
  });
});
