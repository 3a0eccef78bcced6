import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig, numbersOf } from '#test/support/batch-rig.js';

const HOUR_MS = 3_600_000;
/** The expected duration of a call without earlier calls. */
const CALL_MS = 68_000;

/** Runs a batch to its end with calls of equal length; returns when each was dialled. */
async function runToEnd(rig: BatchRig): Promise<number[]> {
  const dialledAt = new Map<string, number>();
  for (;;) {
    await rig.feed();
    const now = rig.clock.wallMs();
    for (const { id } of await rig.queued()) if (!dialledAt.has(id)) dialledAt.set(id, now);
    const ends = (await rig.queued()).map(({ id }) => dialledAt.get(id)! + CALL_MS);
    const feedAt = await rig.nextDispatchAt();
    const next = Math.min(...ends, feedAt ?? Number.POSITIVE_INFINITY);
    if (next === Number.POSITIVE_INFINITY) return [...dialledAt.values()];
    await rig.clock.advance(next - now);
    for (const { id } of await rig.queued())
      if (dialledAt.get(id)! + CALL_MS <= next) await rig.end(id, 'agent_hangup');
    await rig.settle();
  }
}

describe('a look ahead', () => {
  it.each([
    ['06:00', '22:00', 1, 'nine, when the service begins'],
    ['20:30', '22:00', 0, 'never'],
  ])(
    'with a window from %s to %s and calling hours enforced, foresees %i calls: %s',
    async (start, end, calls) => {
      const window = { startMinute: 540, endMinute: 1_200, days: 127, timezone: null };
      const rig = await BatchRig.open({ mode: 'enforce', window });
      const fields = { call_window: { start, end, timezone: 'Europe/London' } };
      const plan = await rig.forecast({ to_number: ['+442079460010'], ...fields });
      const opensAt = rig.clock.wallMs() + 9 * HOUR_MS;
      expect(plan.hours).toMatchObject(calls ? [{ starts_at: toInstant(opensAt), calls: 1 }] : []);
      expect(plan.refused.count).toBe(1 - calls);

      const { id } = await rig.make(['+442079460010'], fields);
      const firstDialledAt = (await runToEnd(rig))[0];
      expect(firstDialledAt === undefined ? null : firstDialledAt).toBe(calls ? opensAt : null);
      expect(await rig.read(id)).toMatchObject({ skipped_calls: 1 - calls, successfully_called: calls });
    },
  );

  it('forecasts by the hour what then happens', async () => {
    const rig = await BatchRig.open();
    // The clock stands at midnight UTC. Soon after the batch begins, the hours end in London, but not in New York.
    const scheduledAt = rig.clock.wallMs() + 16.75 * HOUR_MS;
    const londoners = Array.from({ length: 30 }, (_, i) => `+4420794600${10 + i}`);
    const newYorkers = Array.from({ length: 30 }, (_, i) => `+12125550${100 + i}`);
    const numbers = londoners.flatMap((number, i) => [number, newYorkers[i]!]);
    await rig.suppress(londoners[3]!);
    await rig.suppress(newYorkers[20]!);
    const fields = {
      max_concurrency: 2,
      scheduled_time: toInstant(scheduledAt),
      call_window: { start: '09:00', end: '17:00' },
    };
    const plan = await rig.forecast({ to_number: [...numbers, numbers[0]], ...fields });
    expect(plan).toMatchObject({
      total_numbers: 61,
      callable_numbers: 58,
      duplicates: { count: 1, rows: [{ row: 61, phone_number: numbers[0] }] },
      suppressed: { count: 2 },
      unplanned_numbers: 0,
      peak_concurrency: 2,
    });
    expect(plan.deferred.count).toBeGreaterThan(5);
    for (const { phone_number: number, reason, until } of plan.deferred.rows) {
      expect(londoners).toContain(number);
      expect([reason, until]).toEqual(['outside_calling_window', toInstant(scheduledAt + 16.25 * HOUR_MS)]);
    }

    const { id } = await rig.make([...numbers, numbers[0]!], fields);
    const dialledAt = await runToEnd(rig);
    const hourOf = (at: number) => toInstant(Math.floor(at / HOUR_MS) * HOUR_MS);
    const callsOf = (hour: string) => dialledAt.filter((at) => hourOf(at) === hour).length;
    const hours = [...new Set(dialledAt.map(hourOf))].map((hour) => [hour, callsOf(hour)]);
    expect(plan.hours.map((hour) => [hour.starts_at, hour.calls])).toEqual(hours);
    expect(plan.first_call_at).toBe(toInstant(Math.min(...dialledAt)));
    expect(plan.projected_finish).toBe(toInstant(Math.max(...dialledAt) + CALL_MS));
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: plan.callable_numbers,
      end_time: plan.projected_finish,
    });
  });

  it('derives duration and cost from earlier calls', async () => {
    const rig = await BatchRig.open();
    await rig.make(4);
    await rig.feed();
    await rig.callAll('agent_hangup');
    await rig.sql(
      `update calls set cost_usd = 0.012, answered_at = ended_at - case when to_phone < '+14151000002' then 20000 else 40000 end`,
    );
    const plan = await rig.forecast({ to_number: numbersOf(10), max_concurrency: 5 });
    expect(plan).toMatchObject({
      callable_numbers: 10,
      expected_cost_usd: 0.12,
      projected_finish: toInstant(rig.clock.wallMs() + 2 * 38_000),
      assumptions: { talk_seconds: 30, ring_seconds: 8, cost_usd_per_call: 0.012, calls_looked_at: 4 },
    });
  });

  it('creates nothing, dials nothing and stores no decision', async () => {
    const rig = await BatchRig.open();
    const before = await rig.counts();
    await rig.forecast({ to_number: numbersOf(500) });
    await rig.feed();
    expect(await rig.counts()).toEqual(before);
    expect(await rig.queued()).toEqual([]);
  });
});
