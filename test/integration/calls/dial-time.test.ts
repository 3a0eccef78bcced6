import { describe, expect, it, onTestFinished } from 'vitest';
import { nodeTransactions } from '#calls/watch/node-store.js';
import { ClockWatch } from '#kernel/work/clock-watch.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;

function instantIn(rig: CallRig, delayMs: number): string {
  return new Date(rig.clock.wallMs() + delayMs).toISOString();
}

describe('a wall clock that jumps', () => {
  it.each([HOUR_MS, -HOUR_MS, 24 * HOUR_MS, -24 * HOUR_MS])(
    'by %i ms makes no phone ring twice, and stops nothing',
    async (jumpMs) => {
      const rig = await CallRig.started();
      // The carrier is asked when the clock jumps, and answers after it.
      const answer = rig.carrier.delayAnswer('late');
      const asked = await rig.create({ to_phone: '+14155550001' });
      const later = await rig.create({
        to_phone: '+14155550002',
        scheduled_time: instantIn(rig, 30_000),
      });
      await rig.until(() => rig.carrier.placed.length === 1);
      rig.clock.setWall(rig.clock.wallMs() + jumpMs);
      await rig.pass(5_000);
      answer();
      const now = await rig.create({ to_phone: '+14155550003' });
      await rig.until(() => rig.carrier.placed.some(({ to }) => to === '+14155550003'));
      await rig.pass(50_000);
      const dialled = rig.carrier.placed.map(({ to }) => to);
      expect(new Set(dialled).size).toBe(dialled.length);
      expect(await rig.call(asked.id)).toMatchObject({ ended_at: null, provider_call_id: 'late' });
      expect((await rig.call(now.id)).ended_at).toBeNull();
      // What was due within the jump is long past its time; what the clock has put off waits for it.
      const { status, ended_reason } = await rig.call(later.id);
      expect([status, ended_reason]).toEqual(jumpMs > 0 ? ['failed', 'expired'] : ['queued', null]);
    },
  );
});

describe('what is to be done before anybody is dialled', () => {
  it('is done before, and nobody is dialled for as long as it fails', async () => {
    const rig = await CallRig.open();
    let isDone = false;
    rig.callService.beforeDialling(async () => {
      if (!isDone) throw new Error('not now');
    });
    await rig.callService.start();
    await rig.create();
    await rig.pass(5_000);
    expect(rig.carrier.placed).toEqual([]);
    isDone = true;
    await rig.until(() => rig.carrier.placed.length === 1);
  });
});

describe('a request that is on its way to the carrier when the wall clock jumps', () => {
  it('is waited for, also where the carrier cannot be asked what became of it', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    const answer = rig.carrier.delayAnswer('late');
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    rig.clock.setWall(rig.clock.wallMs() + HOUR_MS);
    await rig.pass(5_000);
    answer();
    await rig.pass(1_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', provider_call_id: 'late' });
    expect(rig.carrier.hungUp).toEqual([]);
  });
});

describe('calls whose time is long past', () => {
  it('after two hours of downtime are not dialled late, and the others are dialled at once', async () => {
    const rig = await CallRig.open();
    const old: string[] = [];
    for (let i = 0; i < 40; i++) {
      const to_phone = `+141555501${String(i).padStart(2, '0')}`;
      old.push((await rig.create({ to_phone, scheduled_time: instantIn(rig, i * 1_000) })).id);
    }
    const recent = await rig.create({ scheduled_time: instantIn(rig, 2 * HOUR_MS - 60_000) });
    rig.clock.setWall(rig.clock.wallMs() + 2 * HOUR_MS);
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(1);
    expect((await rig.call(recent.id)).status).toBe('connecting');
    for (const id of old) {
      expect(await rig.call(id)).toMatchObject({
        status: 'failed',
        ended_reason: 'expired',
        fault: 'platform',
      });
      expect(await rig.eventTypes(id)).toEqual(['call.failed']);
    }
  });

  it('end for want of a slot, where there was none', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const patient = { timeout_seconds: 14_400, silence_timeout_seconds: 3_600 };
    const talking = await rig.talking({ ...patient, to_phone: '+14155550001' });
    const waiting = await rig.create({ to_phone: '+14155550002' });
    await rig.pass(299_000);
    expect((await rig.call(waiting.id)).ended_at).toBeNull();
    await rig.pass(4_000);
    expect(await rig.call(waiting.id)).toMatchObject({ status: 'failed', ended_reason: 'no_capacity' });
    expect((await rig.call(talking.id)).status).toBe('active');
    expect(rig.carrier.placed).toHaveLength(1);
  });
});

describe('one row that cannot be read', () => {
  it('neither stops the others nor keeps a slot', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    const poisoned = await rig.create({ to_phone: '+14155550001', scheduled_time: instantIn(rig, 1_000) });
    await rig.store.write(lookTransactions.poison, { callId: poisoned.id });
    const good = await rig.create({ to_phone: '+14155550002', scheduled_time: instantIn(rig, 2_000) });
    await rig.until(() => rig.carrier.placed.length === 1);
    expect(rig.carrier.placed[0]!.to).toBe('+14155550002');
    await rig.carrier.report('busy');
    expect((await rig.call(good.id)).ended_reason).toBe('busy');
    // It is over, and says why, once.
    expect(await rig.call(poisoned.id)).toMatchObject({ status: 'failed', ended_reason: 'damaged' });
    expect(await rig.eventTypes(poisoned.id)).toEqual(['call.failed']);
    await rig.pass(60_000);
    await rig.create({ to_phone: '+14155550003' });
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(await rig.eventTypes(poisoned.id)).toEqual(['call.failed']);
  });

  it('and is found when it has expired already, is over all the same', async () => {
    const rig = await CallRig.open();
    const poisoned = await rig.create({ scheduled_time: instantIn(rig, 1_000) });
    await rig.store.write(lookTransactions.poison, { callId: poisoned.id });
    rig.clock.setWall(rig.clock.wallMs() + HOUR_MS);
    await rig.callService.start();
    await rig.pass(2_000);
    expect(await rig.call(poisoned.id)).toMatchObject({ status: 'failed', ended_reason: 'damaged' });
  });

  it('of a live call is watched all the same', async () => {
    const rig = await CallRig.started();
    const call = await rig.talking({ timeout_seconds: 12 });
    await rig.store.write(lookTransactions.poisonLimits, { callId: call.id });
    rig.conversations[0]!.stop = () => {};
    await rig.pass(14_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'ending', ended_reason: 'max_duration' });
    await rig.pass(12_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'completed', ended_reason: 'max_duration' });
  });

  it('of the queue holds up nobody', async () => {
    const rig = await CallRig.started();
    const poisoned = await rig.create({ to_phone: '+14155550001', scheduled_time: instantIn(rig, 1_000) });
    await rig.store.write(lookTransactions.poisonAttempt, { callId: poisoned.id });
    await rig.create({ to_phone: '+14155550002', scheduled_time: instantIn(rig, 2_000) });
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550001', '+14155550002']);
  });
});

describe('the pace of the carrier', () => {
  it('is kept, however many calls are due', async () => {
    const rig = await CallRig.open();
    rig.carrier.traits = { ...rig.carrier.traits, callsPerSecond: 10 };
    const callService = rig.build();
    for (let i = 0; i < 40; i++) await rig.create({ to_phone: `+141555502${String(i).padStart(2, '0')}` });
    await callService.start();
    const startedMs = rig.clock.monotonicMs();
    await rig.until(() => rig.carrier.placed.length > 0);
    for (const seconds of [1, 2, 3]) {
      await rig.until(() => rig.clock.monotonicMs() >= startedMs + seconds * 1_000);
      expect(rig.carrier.placed.length).toBeGreaterThanOrEqual(seconds * 10 - 3);
      expect(rig.carrier.placed.length).toBeLessThanOrEqual(seconds * 10 + 3);
    }
  });

  it('is spent on calls that are dialled, and not on those that the policy refuses', async () => {
    const rig = await CallRig.open();
    rig.carrier.traits = { ...rig.carrier.traits, callsPerSecond: 1 };
    const callService = rig.build();
    for (let i = 0; i < 20; i++) {
      const phoneNumber = `+141555504${String(i).padStart(2, '0')}`;
      await rig.create({ to_phone: phoneNumber });
      await rig.store.write(lookTransactions.suppress, { phoneNumber, at: rig.clock.wallMs() });
    }
    for (let i = 0; i < 3; i++) await rig.create({ to_phone: `+1415555050${i}` });
    await callService.start();
    await rig.pass(5_000, 50);
    expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550500', '+14155550501', '+14155550502']);
  });

  it('is kept by all processes together, and each takes its part of it', async () => {
    const rig = await CallRig.open();
    rig.carrier.traits = { ...rig.carrier.traits, callsPerSecond: 10 };
    const centre = rig.build();
    for (let i = 0; i < 60; i++) await rig.create({ to_phone: `+141555502${String(i).padStart(2, '0')}` });
    const other = { id: 'node_other', address: 'elsewhere', folderId: 'folder_2' };
    const beat = () => rig.store.write(nodeTransactions.heartbeat, { ...other, at: rig.clock.wallMs() });
    await centre.start();
    await beat();
    await rig.pass(5_000);
    const before = rig.carrier.placed.length;
    for (let seconds = 1; seconds <= 4; seconds += 1) {
      await beat();
      await rig.pass(1_000, 50);
      expect(rig.carrier.placed.length - before).toBeGreaterThanOrEqual(seconds * 5 - 2);
      expect(rig.carrier.placed.length - before).toBeLessThanOrEqual(seconds * 5 + 2);
    }
  });

  it('is all for a process that is left alone', async () => {
    const rig = await CallRig.open();
    rig.carrier.traits = { ...rig.carrier.traits, callsPerSecond: 4 };
    const centre = rig.build();
    await rig.store.write(nodeTransactions.heartbeat, {
      id: 'node_gone',
      address: 'elsewhere',
      folderId: 'folder_2',
      at: rig.clock.wallMs(),
    });
    await centre.start();
    await rig.pass(25_000);
    for (let i = 0; i < 20; i++) await rig.create({ to_phone: `+141555503${String(i).padStart(2, '0')}` });
    await rig.pass(4_000, 50);
    expect(rig.carrier.placed.length).toBeGreaterThanOrEqual(15);
  });

  it('is waited for by a call that it sent back to the queue, while others take the lines', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    rig.carrier.answers.push(() =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down')),
    );
    const waiting = await rig.create({ to_phone: '+14155550001' });
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.create({ to_phone: '+14155550002', silence_timeout_seconds: 600 });
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.pickUp();
    await rig.pass(100_000, 2_000);
    // No phone rings for as long; but this one does not ring yet.
    expect(await rig.call(waiting.id)).toMatchObject({ status: 'connecting', ended_at: null });
    rig.conversations[0]!.end({ by: 'agent' });
    await rig.until(() => rig.carrier.placed.length === 3);
    expect(rig.carrier.placed[2]!.to).toBe('+14155550001');
  });

  it('rests for all calls when the carrier takes no more', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(() =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'slow down')),
    );
    await rig.create({ to_phone: '+14155550001' });
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.create({ to_phone: '+14155550002' });
    await rig.pass(1_500);
    expect(rig.carrier.placed).toHaveLength(1);
    await rig.until(() => rig.carrier.placed.length === 3);
  });
});

describe('slots that are reserved for whoever calls in', () => {
  it('are not dialled with, however many calls are due, and a client still gets one', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 3, reservedForInbound: 1 });
    for (let i = 0; i < 5; i++) await rig.create({ to_phone: `+1415555030${i}` });
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(2);
    await rig.openStream({ kind: 'principal', principal: PRINCIPAL, callId: rig.ids.next('call') });
    // A call that ends makes room for the next one that is due.
    await rig.carrier.report('busy');
    await rig.until(() => rig.carrier.placed.length === 3);
  });
});

describe('a client that opens a stream when all slots are taken', () => {
  it('is turned away, and that is written down', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    await rig.talking();
    const callId = rig.ids.next('call');
    await expect(rig.openStream({ kind: 'principal', principal: PRINCIPAL, callId })).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
    });
    expect(await rig.call(callId)).toMatchObject({
      direction: 'inbound',
      status: 'failed',
      ended_reason: 'no_capacity',
    });
    expect(await rig.eventTypes(callId)).toEqual(['call.failed']);
  });
});

describe('a wall clock that jumps for some seconds', () => {
  async function open(size: { maxConcurrentCalls?: number } = {}) {
    const rig = await CallRig.open(size);
    const watch = new ClockWatch({ clock: rig.clock, log: rig.log.log });
    rig.clockTrust = watch;
    const callService = rig.build(size.maxConcurrentCalls);
    watch.start();
    onTestFinished(() => watch.stop());
    await callService.start();
    return { rig, jump: (byMs: number) => rig.clock.setWall(rig.clock.wallMs() + byMs) };
  }

  it.each([2 * HOUR_MS, HOUR_MS + 60_000, -HOUR_MS])(
    'by %i ms makes no call before its time, and ends none undialled',
    async (jumpMs) => {
      const { rig, jump } = await open();
      const soon = await rig.create({ to_phone: '+14155550001', scheduled_time: instantIn(rig, 20_000) });
      const later = await rig.create({ to_phone: '+14155550002', scheduled_time: instantIn(rig, HOUR_MS) });
      await rig.pass(5_000);
      jump(jumpMs);
      await rig.pass(10_000);
      expect(rig.carrier.placed).toEqual([]);
      expect(await rig.call(soon.id)).toMatchObject({ ended_at: null });
      jump(-jumpMs);
      await rig.pass(10_000);
      expect(rig.carrier.placed.map(({ to }) => to)).toEqual(['+14155550001']);
      expect(await rig.call(later.id)).toMatchObject({ ended_at: null });
    },
  );

  it('lets calls without a time of their own go out at once', async () => {
    const { rig, jump } = await open();
    jump(HOUR_MS);
    await rig.pass(2_000);
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
  });

  it('keeps none of them waiting for the time that it showed', async () => {
    const { rig, jump } = await open({ maxConcurrentCalls: 1 });
    jump(HOUR_MS);
    await rig.pass(2_000);
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const waiting = await rig.create({ to_phone: '+14155550001' });
    jump(-HOUR_MS);
    await rig.pass(2_000);
    const [attempt] = await rig.store.read(lookTransactions.attempts, { callId: waiting.id });
    expect(attempt!['due_at']).toBeLessThanOrEqual(rig.clock.wallMs());
  });

  it('ends what is late when it has kept its time', async () => {
    const { rig, jump } = await open();
    const soon = await rig.create({ scheduled_time: instantIn(rig, 20_000) });
    await rig.pass(1_000);
    jump(HOUR_MS);
    await rig.pass(65_000);
    expect(await rig.call(soon.id)).toMatchObject({ status: 'failed', ended_reason: 'expired' });
  });
});
