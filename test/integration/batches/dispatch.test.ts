import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { batchLookTransactions } from '#test/support/batch-look-transactions.js';
import { BatchRig, numbersOf } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;

describe('feeding', () => {
  it('never lets a batch have more calls under way than it may', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(25, { max_concurrency: 4 });
    const dialled: string[] = [];
    await rig.feed();
    while ((await rig.queued()).length > 0) {
      const [first, ...others] = await rig.queued();
      expect(others.length).toBeLessThan(4);
      dialled.push(first!.to);
      await rig.end(first!.id, 'customer_hangup');
      await rig.settle();
      await rig.feed();
    }
    expect(new Set(dialled).size).toBe(25);
    expect(dialled).toHaveLength(25);
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: 25,
      success_rate: 1,
    });
    expect(await rig.events(id)).toEqual(['batch.initiated', 'batch.in_progress', 'batch.completed']);
  });

  it('takes fair turns between batches', async () => {
    const rig = await BatchRig.open();
    const large = await rig.make(300, { max_concurrency: 50 });
    const small = await rig.make(20, { max_concurrency: 50 });
    await rig.feedOnce();
    await rig.feedOnce();
    const queued = await rig.queued();
    const of = (id: string) => queued.filter((call) => call.batchId === id).length;
    expect([of(large.id), of(small.id)]).toEqual([20, 20]);
  });

  it('lets its numbers wait for a slot, however long the others talk', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(3);
    await rig.feed();
    expect(await rig.expiring(HOUR_MS)).toEqual([]);
    await rig.clock.advance(HOUR_MS);
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
  });

  it('waits for its time, its window, and a full queue', async () => {
    const rig = await BatchRig.open();
    // The clock stands at midnight, UTC.
    const at = rig.clock.wallMs() + HOUR_MS;
    const { id } = await rig.make(3, {
      scheduled_time: toInstant(at),
      call_window: { start: '09:00', end: '17:00', timezone: 'UTC' },
    });
    await rig.feed();
    expect(await rig.nextDispatchAt()).toBe(at);
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ status: 'initiated', live_calls: 0 });
    expect(await rig.nextDispatchAt()).toBe(at + 8 * HOUR_MS);
    await rig.clock.advance(8 * HOUR_MS);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);

    const crowd = await rig.make(400, { max_concurrency: 400 });
    await rig.feed();
    expect((await rig.queued()).length).toBeLessThanOrEqual(110);
    expect(await rig.read(crowd.id)).toMatchObject({ status: 'in_progress' });
    expect(await rig.nextDispatchAt()).toBeGreaterThan(rig.clock.wallMs());
    // Single calls in the queue do not count: the dialler gives batches their turns.
    await rig.sql(`update dial_attempts set lane = 'single'`);
    await rig.clock.advance(1_000);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3 + 50 + 100);
  });

  it('releases nothing while paused, continues when resumed, and closes all numbers when cancelled', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(250, { max_concurrency: 5 });
    await rig.feed();
    expect(await rig.batches.pause(PRINCIPAL, id)).toMatchObject({ status: 'paused', live_calls: 5 });
    await rig.callAll('customer_hangup');
    expect(await rig.queued()).toHaveLength(0);
    expect(await rig.read(id)).toMatchObject({
      status: 'paused',
      successfully_called: 5,
      pending_calls: 245,
    });
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(5);
    await rig.callAll('customer_hangup');
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.feed();
    const over = await rig.read(id);
    expect(over).toMatchObject({ status: 'cancelled', successfully_called: 10, cancelled_calls: 240 });
    expect(over.end_time).not.toBeNull();
    expect(await rig.events(id)).toEqual(['batch.initiated', 'batch.in_progress', 'batch.completed']);
  });

  it('recalls queued calls when paused or cancelled; ringing calls go on', async () => {
    const rig = await BatchRig.open({ mode: 'enforce', caps: [{ attempts: 1, hours: 24 }] });
    const { id, call_ids: calls } = await rig.make(20, { max_concurrency: 8 });
    await rig.feed();
    await rig.sql(`update dial_attempts set status = 'dialling' where call_id = '${calls[0]!}'`);
    await rig.sql(`update calls set status = 'connecting' where id = '${calls[0]!}'`);
    await rig.sql(`update dial_attempts set status = 'claimed' where call_id = '${calls[1]!}'`);
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ status: 'paused', live_calls: 1, pending_calls: 19 });
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect((await rig.queued()).map((call) => call.id)).toEqual(calls.slice(1, 8));
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ cancelled_calls: 19, live_calls: 1, end_time: null });
    expect(await rig.events(calls[1]!)).toEqual(['call.failed']);
    await rig.end(calls[0]!, 'customer_hangup');
    await rig.settle();
    expect(await rig.read(id)).toMatchObject({ status: 'cancelled', successfully_called: 1, live_calls: 0 });
  });

  it('tells of the end of every number that it did not come to, and of its own, though it never began', async () => {
    const rig = await BatchRig.open();
    const twice = [...numbersOf(2), numbersOf(1)[0]!];
    const { id, call_ids: calls } = await rig.make(twice, {
      scheduled_time: toInstant(rig.clock.wallMs() + HOUR_MS),
    });
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.events(id)).toEqual(['batch.failed']);
    const told = await Promise.all(calls.map((callId) => rig.events(callId)));
    expect(told).toEqual([['call.failed'], ['call.failed'], []]);
  });

  it('asks the policy about each number: suppressed ones are skipped, deferred ones called later', async () => {
    const rig = await BatchRig.open();
    await rig.suppress('+14151000001');
    // Midnight UTC is evening in New York and outside the hours in London.
    const { id } = await rig.make(['+14151000001', '+12125550100', '+442079460000'], {
      call_window: { start: '09:00', end: '22:00' },
    });
    await rig.feed();
    const called = (await rig.queued()).map((call) => call.to);
    expect(called).toEqual(['+12125550100']);
    expect(await rig.read(id)).toMatchObject({ skipped_calls: 1, pending_calls: 1, live_calls: 1 });
    expect(await rig.nextDispatchAt()).toBe(rig.clock.wallMs() + 9 * HOUR_MS);
  });

  it('deletes an abandoned batch, and never shows it', async () => {
    const rig = await BatchRig.open();
    const whole = await rig.make(1);
    const before = await rig.counts();
    await rig.dieWhileMaking(500);
    expect(
      (await rig.batches.list({ workspace: 'default' }, null, 50)).items.map((batch) => batch.id),
    ).toEqual([whole.id]);
    expect((await rig.counts()).batch_recipients).toBe(501);
    await rig.feed();
    expect((await rig.counts()).batch_recipients).toBe(501);
    await rig.clock.advance(60_001);
    await rig.feed();
    expect(await rig.counts()).toMatchObject({
      batches: 1,
      batch_recipients: before.batch_recipients,
      calls: 1,
    });
  });

  it('is not stopped by a batch whose row cannot be read', async () => {
    const rig = await BatchRig.open();
    const bad = await rig.make(1);
    const good = await rig.make(2);
    await rig.sql(`update batches set retry_policy = '{bad' where id = '${bad.id}'`);
    await rig.feed();
    expect((await rig.queued()).map((call) => call.batchId)).toEqual([good.id, good.id]);
    expect(await rig.nextDispatchAt()).toBe(rig.clock.wallMs() + 30_000);
  });

  it.each([
    ['number', `update batch_recipients set reason = 'nonsense' where position = 3`],
    ['call', `update calls set metadata = '{bad' where to_phone = '+14151000003'`],
  ])('gives up a damaged %s, calls the others, and comes to its end', async (_what, damage) => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(6);
    await rig.sql(damage);
    await rig.feed();
    const called = await rig.callAll('customer_hangup');
    expect(called.map(({ to }) => to)).toEqual(numbersOf(6).toSpliced(3, 1));
    const over = await rig.read(id);
    expect(over).toMatchObject({ status: 'completed', successfully_called: 5, failed_calls: 1 });
    expect(over.calls[3]!.status).toBe('failed');
    expect(rig.logLines.filter(({ position }) => position === 3)).toHaveLength(1);
  });

  it('closes everybody of a cancelled batch, also beside a damaged number', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(6);
    await rig.sql(`update calls set metadata = '{bad' where to_phone = '+14151000000'`);
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ status: 'cancelled', cancelled_calls: 6, pending_calls: 0 });
  });

  /** Half of the batch is queued, the other half open, and a column of the first number is unreadable. */
  const damages = [
    ['call', `update calls set metadata = '{bad' where to_phone = '+14151000000'`],
    ['number', `update batch_recipients set reason = 'nonsense' where position = 0`],
  ] as const;

  it.each(damages)(
    'comes to its end when it is cancelled with a damaged %s in the queue',
    async (_, damage) => {
      const rig = await BatchRig.open();
      const { id } = await rig.make(250, { max_concurrency: 3 });
      await rig.feed();
      await rig.sql(damage);
      await rig.batches.cancel(PRINCIPAL, id);
      await rig.feed();
      expect(await rig.queued()).toEqual([]);
      expect(await rig.nextDispatchAt()).toBeNull();
      const over = await rig.store.read(batchLookTransactions.batch, { id });
      expect(over).toMatchObject({ status: 'cancelled', cancelled: 250, waiting: 0, in_flight: 0 });
      expect(over['ended_at']).not.toBeNull();
    },
  );

  it.each(damages)('is put on hold, and goes on, with a damaged %s in the queue', async (_, damage) => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(6, { max_concurrency: 3 });
    await rig.feed();
    await rig.sql(damage);
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    expect(await rig.nextDispatchAt()).toBeNull();
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    const called: string[] = [];
    while ((await rig.queued()).length > 0)
      called.push(...(await rig.callAll('customer_hangup')).map(({ to }) => to));
    expect(called).toEqual(numbersOf(6).slice(1));
    const over = await rig.store.read(batchLookTransactions.batch, { id });
    expect(over).toMatchObject({ status: 'completed', succeeded: 5, failed: 1, in_flight: 0 });
  });

  it.each(damages)('comes to its end although a damaged %s was called', async (_, damage) => {
    const rig = await BatchRig.open();
    const { id, call_ids: calls } = await rig.make(3);
    await rig.feed();
    await rig.sql(damage);
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3, live_calls: 0 });
    expect(await rig.events(calls[0]!)).toContain('call.completed');
  });

  it('does not wait for a queued call that the dialler knows nothing of to close the others', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(6, { max_concurrency: 1 });
    await rig.feed();
    await rig.sql('delete from dial_attempts');
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ cancelled_calls: 5, live_calls: 1 });
    expect(await rig.nextDispatchAt()).toBeNull();
  });
});
