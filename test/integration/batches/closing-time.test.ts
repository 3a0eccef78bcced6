import { describe, expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import type { BeginOutcome } from '#calls/dialling/begin-dialling.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

/** A Friday, one minute before the calling hours end until Monday. */
const BEFORE_CLOSING = Date.parse('2026-11-27T19:59:00Z');
const MONDAY = Date.parse('2026-11-30T09:00:00Z');
const MINUTE_MS = 60_000;
const WEEK = { start: '09:00', end: '20:00', days: ['MON', 'TUE', 'WED', 'THU', 'FRI'], timezone: 'UTC' };
const NEW_YORK = '+12125550100';
const LOS_ANGELES = '+13105550100';

/** Dials all queued calls. */
async function dialAll(rig: BatchRig): Promise<BeginOutcome['kind'][]> {
  const now = rig.clock.wallMs();
  const lease = { nodeId: 'node_test', leaseUntil: now + 45_000 };
  const attempts = await rig.store.write(dialTransactions.claim, {
    ...lease,
    now,
    limit: 99,
    forBatches: 99,
  });
  const begun: BeginOutcome['kind'][] = [];
  for (const attempt of attempts) {
    const { kind } = await rig.store.write(dialTransactions.begin, {
      mayHaveRung: false,
      providers: null,
      attemptId: attempt.id,
      callId: attempt.call_id,
      lease,
      wanted: { at: attempt.wanted_at, dueAt: attempt.due_at, expiresAt: attempt.expires_at },
      deadlineAt: now + 30_000,
      carrier: 'test',
      defaultFromNumber: '+15550000000',
      rules: rig.rules,
      finish: rig.txContexts.finish(attempt.call_id, 'policy_blocked'),
    });
    begun.push(kind);
  }
  return begun;
}

/** Runs the loops until an instant. */
async function waitUntil(rig: BatchRig, at: number): Promise<void> {
  await rig.clock.advance(at - rig.clock.wallMs());
  await rig.settle();
  await rig.feed();
}

describe('a queued number at closing time', () => {
  it.each(['first', 'second'])(
    'is called when it opens, though that is days later (%s try)',
    async (which) => {
      const rig = await BatchRig.open();
      rig.clock.setWall(BEFORE_CLOSING - 2 * MINUTE_MS);
      const retry_policy = { max_retries: 1, retry_delay: 1, retry_on: ['busy'] };
      const { id } = await rig.make(3, { call_window: WEEK, retry_policy });
      await rig.feed();
      if (which === 'second') await rig.callAll('busy');
      await waitUntil(rig, BEFORE_CLOSING);
      const inQueue = (await rig.queued()).map(({ to }) => to);
      expect(inQueue).toHaveLength(3);

      await rig.clock.advance(2 * MINUTE_MS);
      expect(await dialAll(rig)).toEqual(['deferred', 'deferred', 'deferred']);
      await rig.settle();
      await rig.feed();
      expect(await rig.read(id)).toMatchObject({ status: 'in_progress', pending_calls: 3, live_calls: 0 });

      await waitUntil(rig, MONDAY);
      expect((await rig.queued()).map(({ to }) => to)).toEqual(inQueue);
      expect(await dialAll(rig)).toEqual(['dial', 'dial', 'dial']);
      for (const { id: callId } of await rig.live()) await rig.end(callId, 'customer_hangup');
      await rig.settle();
      expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
    },
  );

  it('does not occupy a line of the batch', async () => {
    const rig = await BatchRig.open();
    // Eight in the evening in New York, and five in the afternoon in Los Angeles.
    rig.clock.setWall(Date.parse('2026-11-26T00:59:00Z'));
    const window = { start: '09:00', end: '20:00' };
    const numbers = [NEW_YORK, LOS_ANGELES];
    await rig.make(numbers, { call_window: window, max_concurrency: 1 });
    await rig.feed();
    expect((await rig.queued()).map(({ to }) => to)).toEqual([NEW_YORK]);

    await rig.clock.advance(2 * MINUTE_MS);
    await dialAll(rig);
    await rig.settle();
    await rig.feed();
    expect((await rig.queued()).map(({ to }) => to)).toEqual([LOS_ANGELES]);
  });

  it('is not called if the batch is cancelled meanwhile', async () => {
    const rig = await BatchRig.open();
    rig.clock.setWall(BEFORE_CLOSING);
    const { id } = await rig.make(1, { call_window: WEEK });
    await rig.feed();
    await rig.clock.advance(2 * MINUTE_MS);
    await dialAll(rig);
    await rig.batches.cancel(PRINCIPAL, id);
    await rig.settle();
    await rig.feed();
    await waitUntil(rig, MONDAY);
    expect(await rig.queued()).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ status: 'cancelled', cancelled_calls: 1, pending_calls: 0 });
  });
});
