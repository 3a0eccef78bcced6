import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { nextTransition } from '#kernel/time/time-zone.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import { rows } from '#test/support/tier.js';
import type { Scheduler } from '#schedules/runs/scheduling/scheduler.js';
import { CLOCK_CHANGE_EXPRESSIONS } from '#test/support/clock-change-expressions.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const HOUR_MS = 3_600_000;
const STEP_MS = 300_000;
const AROUND_MS = 2 * HOUR_MS;

const EXPRESSIONS = [...CLOCK_CHANGE_EXPRESSIONS, '*/15 * * * *', '15 2 * * *', '*/15 2 * * *'];
/** A zone, and a day near which its clocks are set. */
const TRANSITIONS: [zone: string, day: string][] = [
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2026-11-01'],
  ['Europe/London', '2027-03-28'],
  ['Europe/London', '2026-10-25'],
  ['Australia/Sydney', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['Africa/Cairo', '2026-10-30'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2026-03-29'],
  ['Asia/Beirut', '2026-10-25'],
];

/** The result of a stretch of time: the occurrences of each expression, and whether they were called. */
type Story = Record<string, string[]>;

/** Runs a stretch in steps of five minutes; `isRestarted`: with another process for each step. */
async function live(zone: string, from: number, until: number, isRestarted: boolean): Promise<Story> {
  const rig = await ScheduleRig.open(from);
  const made = new Map<string, string>();
  for (const expression of EXPRESSIONS)
    made.set(expression, (await rig.recurring(expression, { timezone: zone })).id);
  let scheduler: Scheduler | null = null;
  for (let now = from + STEP_MS; now <= until; now += STEP_MS) {
    rig.clock.setWall(now);
    scheduler ??= rig.scheduler();
    scheduler.start();
    scheduler.wake();
    while ((await rig.overdue()) > 0) await rig.clock.advance(20);
    if (isRestarted) {
      await scheduler.stop();
      scheduler = null;
    }
    // Every call is over before the next one is due.
    await rig.sabotage(`update executions set status = 'completed' where status = 'in_progress'`);
  }
  await scheduler?.stop();
  const story: Story = {};
  for (const [expression, id] of made) {
    const past = (await rig.executions(id)).filter(({ planned_at }) => planned_at <= until);
    story[expression] = past.map(({ planned_at, status }) => `${toInstant(planned_at)} ${status}`);
  }
  return story;
}

describe('where clocks are set', () => {
  it.each(rows(3, TRANSITIONS))('in %s near %s, restarts change nothing', async (zone, day) => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const setMs = nextTransition(zone, midnight - 30 * HOUR_MS, midnight + 30 * HOUR_MS);
    expect(setMs, 'the clocks are set then').not.toBeNull();
    const [from, until] = [setMs! - AROUND_MS, setMs! + AROUND_MS];
    const uninterrupted = await live(zone, from, until, false);
    expect(await live(zone, from, until, true)).toEqual(uninterrupted);

    for (const expression of EXPRESSIONS) {
      const due = new Recurrence(expression, zone).take(100, from).filter((at) => at <= until);
      // Each was called, at its own time.
      const expected = due.map((at) => `${toInstant(at)} completed`);
      expect(uninterrupted[expression], expression).toEqual(expected);
    }
  });
});
