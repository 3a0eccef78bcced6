import { describe, expect, it } from 'vitest';
import { ClockWatch } from '#kernel/work/clock-watch.js';
import { SchedulerHealth } from '#schedules/runs/scheduling/scheduler-health.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Begins at 2026-11-21T00:00:00Z, with the loops at work. */
async function open() {
  const rig = await ScheduleRig.open();
  const { clock, log, store } = rig;
  const clockTrust = new ClockWatch({ clock, log: log.log });
  rig.clockTrust = clockTrust;
  const scheduler = rig.scheduler();
  const health = new SchedulerHealth({ store, clock, clockTrust, scheduler, defaultTimezone: 'UTC' });
  clockTrust.start();
  scheduler.start();
  return {
    rig,
    jump: (byMs: number) => clock.setWall(clock.wallMs() + byMs),
    report: () => health.report('default'),
    nextRun: async (id: string) => {
      const at = (await rig.schedule(id)).next_run_at;
      return at === null ? null : new Date(at).toISOString().slice(0, 19);
    },
    async stop() {
      clockTrust.stop();
      await scheduler.stop();
    },
  };
}

describe('schedules on a machine whose clock jumps', () => {
  it.each([2 * HOUR_MS, 30 * DAY_MS, -2 * HOUR_MS])(
    'by %i ms for some seconds run at their time, once, and miss nothing',
    async (byMs) => {
      const { rig, jump, stop } = await open();
      const once = await rig.once('2026-11-21 00:00:30');
      const often = await rig.recurring('* * * * *');
      await rig.clock.advance(10_000);
      jump(byMs);
      await rig.clock.advance(15_000);
      jump(-byMs);
      await rig.clock.advance(1_000);
      expect(await rig.statuses(once.id)).toEqual(['pending']);
      await rig.clock.advance(10_000);
      expect(await rig.statuses(once.id)).toEqual(['in_progress']);
      await rig.clock.advance(25_000);
      expect(await rig.statuses(often.id)).toEqual(['in_progress', 'pending']);
      expect((await rig.live(often.id))!.late_ms).toBeLessThan(2_000);
      await stop();
    },
  );

  it('say so in their health for as long', async () => {
    const { rig, jump, report, stop } = await open();
    expect(await report()).toMatchObject({ status: 'healthy', reason: null });
    jump(HOUR_MS);
    expect(await report()).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('jumped ahead by 3600 seconds'),
    });
    jump(-HOUR_MS);
    await rig.clock.advance(1_000);
    expect(await report()).toMatchObject({ status: 'healthy', reason: null });
    await stop();
  });

  it('do not wait until the time that it showed when they were made', async () => {
    const { rig, jump, nextRun, stop } = await open();
    jump(DAY_MS);
    const { id } = await rig.recurring('0 * * * *');
    expect(await nextRun(id)).toBe('2026-11-22T01:00:00');
    await rig.clock.advance(20_000);
    jump(-DAY_MS);
    await rig.clock.advance(1_000);
    expect(await nextRun(id)).toBe('2026-11-21T01:00:00');
    await stop();
  });

  it('do not wait after a clock that was ahead at the start was put right, nor is an occurrence run twice', async () => {
    const { rig, jump, nextRun, stop } = await open();
    const { id } = await rig.recurring('30 * * * *');
    // As at the start of a machine: the time is believed.
    jump(3 * HOUR_MS + 29 * 60_000);
    await rig.clock.advance(61_000);
    const begun = await rig.live(id);
    expect(new Date(begun!.planned_at).toISOString()).toBe('2026-11-21T03:30:00.000Z');
    await rig.end(begun!.call_id!, 'customer_hangup', { answered: true });
    expect(await nextRun(id)).toBe('2026-11-21T04:30:00');
    jump(-60 * 60_000);
    await rig.clock.advance(62_000);
    expect(await nextRun(id)).toBe('2026-11-21T04:30:00');
    jump(-2 * HOUR_MS);
    await rig.clock.advance(62_000);
    expect(await nextRun(id)).toBe('2026-11-21T01:30:00');
    await stop();
  });

  it('try again when it is time, where that was planned by a clock that was ahead', async () => {
    const { rig, jump, stop } = await open();
    const retry_policy = { max_retries: 1, retry_delay_minutes: 5, retry_on: ['busy'] };
    const { id } = await rig.once('2026-11-21 00:00:01', { retry_policy });
    await rig.clock.advance(2_000);
    jump(DAY_MS);
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    await rig.clock.advance(10_000);
    jump(-DAY_MS);
    await rig.clock.advance(2_000);
    const retry = (await rig.executions(id)).find(({ attempt }) => attempt === 2);
    expect(retry!.planned_at - rig.clock.wallMs()).toBeLessThanOrEqual(5 * 60_000);
    await stop();
  });

  it('are missed after a machine has slept for long', async () => {
    const { rig, jump, stop } = await open();
    const once = await rig.once('2026-11-21 00:10:00');
    await rig.clock.advance(1_000);
    jump(2 * HOUR_MS);
    await rig.clock.advance(59_000);
    expect(await rig.statuses(once.id)).toEqual(['pending']);
    await rig.clock.advance(3_000);
    expect(await rig.statuses(once.id)).toEqual(['missed']);
    await stop();
  });

  it('are missed at once where the process was stopped, or stood still', async () => {
    const { rig, stop } = await open();
    const first = await rig.once('2026-11-21 00:10:00');
    const second = await rig.once('2026-11-21 03:10:00');
    rig.clock.stall(HOUR_MS);
    await rig.clock.advance(2_000);
    expect(await rig.statuses(first.id)).toEqual(['missed']);
    await stop();
    rig.clock.setWall(rig.clock.wallMs() + 4 * HOUR_MS);
    rig.clockTrust = new ClockWatch({ clock: rig.clock, log: rig.log.log });
    const restarted = rig.scheduler();
    restarted.start();
    await rig.clock.advance(2_000);
    expect(await rig.statuses(second.id)).toEqual(['missed']);
    await restarted.stop();
  });
});
