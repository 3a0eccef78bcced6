import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORECAST_MS, simulateBatch, type SimulatedBatch } from '#batches/preflight/simulate-batch.js';
import type { CallWindow } from '#policy/hours/call-window.js';
import type { Decision } from '#policy/deciding/decision.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A Tuesday at noon, UTC. */
const NOON = Date.UTC(2026, 11, 1, 12);

const DIAL: Decision = { verdict: 'dial', findings: [] };
const later = (until: number): Decision => ({
  verdict: 'defer',
  until,
  reason: 'attempt_cap',
  findings: [],
});
const NEVER: Decision = { verdict: 'skip', reason: 'suppressed', findings: [] };

const window = (startHour: number, endHour: number): CallWindow => ({
  startMinute: startHour * 60,
  endMinute: endHour * 60,
  days: 0b1111111,
  timezone: 'UTC',
});

function played(batch: Partial<SimulatedBatch>) {
  return simulateBatch({
    now: NOON,
    scheduledAt: NOON,
    window: null,
    maxConcurrency: 10,
    callsPerSecond: Number.POSITIVE_INFINITY,
    callMs: MINUTE_MS,
    numbers: 0,
    decide: () => DIAL,
    ...batch,
  });
}

describe('a batch that is played through', () => {
  it('calls as many at once as it may, again and again', () => {
    expect(played({ numbers: 25 })).toEqual({
      calls: 25,
      hours: [{ startsAt: NOON, calls: 25, peakConcurrency: 10 }],
      peakConcurrency: 10,
      firstCallAt: NOON,
      finishesAt: NOON + 3 * MINUTE_MS,
      left: 0,
    });
  });

  it('begins at its time and lists the calls by hour', () => {
    const at = NOON + 90 * MINUTE_MS;
    const plan = played({ scheduledAt: at, numbers: 100, maxConcurrency: 1 });
    expect(plan.hours).toEqual([
      { startsAt: NOON + HOUR_MS, calls: 30, peakConcurrency: 1 },
      { startsAt: NOON + 2 * HOUR_MS, calls: 60, peakConcurrency: 1 },
      { startsAt: NOON + 3 * HOUR_MS, calls: 10, peakConcurrency: 1 },
    ]);
    expect(plan).toMatchObject({ firstCallAt: at, finishesAt: at + 100 * MINUTE_MS });
  });

  it('is planned for a month from its own time, however far ahead that is', () => {
    const at = NOON + 2 * FORECAST_MS;
    expect(played({ scheduledAt: at, numbers: 3 })).toMatchObject({ calls: 3, firstCallAt: at, left: 0 });
  });

  it('goes as fast as the carrier, and holds fewer lines than it may when that is slow', () => {
    const plan = played({ numbers: 100, callsPerSecond: 0.1, callMs: 15_000 });
    expect(plan).toMatchObject({ peakConcurrency: 2, finishesAt: NOON + 99 * 10_000 + 15_000 });
  });

  it('stops where its window closes and goes on where it opens', () => {
    const plan = played({ numbers: 100, maxConcurrency: 1, window: window(9, 13) });
    expect(plan.hours).toEqual([
      { startsAt: NOON, calls: 60, peakConcurrency: 1 },
      { startsAt: NOON + 21 * HOUR_MS, calls: 40, peakConcurrency: 1 },
    ]);
  });

  it('asks the policy when the turn of a number comes, not before', () => {
    const closesAt = NOON + 30 * MINUTE_MS;
    const opensAt = NOON + DAY_MS;
    const plan = played({
      numbers: 40,
      maxConcurrency: 1,
      decide: (_number, at) => (at < closesAt || at >= opensAt ? DIAL : later(opensAt)),
    });
    expect(plan.hours.map(({ startsAt, calls }) => [startsAt, calls])).toEqual([
      [NOON, 30],
      [opensAt, 10],
    ]);
    expect(plan.finishesAt).toBe(opensAt + 10 * MINUTE_MS);
  });

  it('orders numbers due at the same instant by index, whichever was deferred first', () => {
    const [early, late] = [NOON + HOUR_MS, NOON + 2 * HOUR_MS];
    const called: number[] = [];
    played({
      numbers: 3,
      maxConcurrency: 1,
      decide(number, at) {
        // The first of them is put off twice, and therefore for the last time after the others.
        if (number === 0 && at < early) return later(early);
        if (at < late) return later(late);
        called.push(number);
        return DIAL;
      },
    });
    expect(called).toEqual([0, 1, 2]);
  });

  it('leaves out refused numbers, and makes no call if all are refused', () => {
    expect(played({ numbers: 3, decide: (number) => (number === 1 ? NEVER : DIAL) })).toMatchObject({
      calls: 2,
      left: 0,
    });
    const nobody = { calls: 0, hours: [], peakConcurrency: 0, firstCallAt: null, finishesAt: null, left: 0 };
    expect(played({ numbers: 3, decide: () => NEVER })).toEqual(nobody);
    expect(played({})).toEqual(nobody);
  });

  it('ends after a month, with the remaining numbers', () => {
    const plan = played({ numbers: 100, maxConcurrency: 1, window: window(12, 13), callMs: 30 * MINUTE_MS });
    expect(plan).toMatchObject({ calls: 62, left: 38, finishesAt: null });
    expect(plan.hours.at(-1)!.startsAt).toBeLessThan(NOON + FORECAST_MS);
    expect(played({ numbers: 2, window: { ...window(9, 10), days: 0 } })).toMatchObject({
      calls: 0,
      left: 2,
      finishesAt: null,
    });
  });

  it('never exceeds its concurrency, never calls a number early or twice, and leaves none out', () => {
    const anyBatch = fc.record({
      maxConcurrency: fc.integer({ min: 1, max: 12 }),
      callsPerSecond: fc.option(fc.integer({ min: 1, max: 20 }), { nil: Number.POSITIVE_INFINITY }),
      callMs: fc.integer({ min: 1, max: 10 * MINUTE_MS }),
      waits: fc.array(fc.integer({ min: 0, max: 2 * DAY_MS }), { maxLength: 80 }),
    });
    fc.assert(
      fc.property(anyBatch, ({ waits, ...batch }) => {
        const called = new Map<number, number>();
        const plan = played({
          ...batch,
          numbers: waits.length,
          decide(number, at) {
            const dueAt = NOON + waits[number]!;
            if (at < dueAt) return later(dueAt);
            expect(called.has(number)).toBe(false);
            called.set(number, at);
            return DIAL;
          },
        });
        expect(called.size).toBe(waits.length);
        expect(plan).toMatchObject({ calls: waits.length, left: 0 });
        expect(plan.peakConcurrency).toBeLessThanOrEqual(batch.maxConcurrency);
        expect(plan.hours.reduce((sum, { calls }) => sum + calls, 0)).toBe(waits.length);
        const starts = [...called.values()];
        for (const at of starts)
          expect(
            starts.filter((other) => other <= at && other + batch.callMs > at).length,
          ).toBeLessThanOrEqual(batch.maxConcurrency);
      }),
      { numRuns: 300 },
    );
  });

  it('plays ten thousand numbers through in the time of a breath', () => {
    const turns = { asked: 0 };
    const plan = played({
      numbers: 10_000,
      maxConcurrency: 50,
      decide(number, at) {
        turns.asked += 1;
        return at < NOON + number ? later(NOON + number) : DIAL;
      },
    });
    expect(plan.calls).toBe(10_000);
    expect(turns.asked).toBeLessThan(20_001);
  });
});
