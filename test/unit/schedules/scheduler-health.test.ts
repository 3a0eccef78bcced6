import { describe, expect, it } from 'vitest';
import { SchedulerHealth } from '#schedules/runs/scheduling/scheduler-health.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

/** Begins at 2026-11-21T00:00:00Z. */
async function open() {
  const rig = await ScheduleRig.open();
  const scheduler = rig.scheduler();
  const { store, clock } = rig;
  const { clockTrust } = rig;
  const health = new SchedulerHealth({
    store,
    clock,
    clockTrust,
    scheduler,
    defaultTimezone: 'Europe/Berlin',
  });
  return { rig, scheduler, report: () => health.report('default') };
}

describe('the health of the scheduler', () => {
  it('is healthy while due runs start, and shows the next one', async () => {
    const { rig, scheduler, report } = await open();
    await rig.recurring('0 1 * * *');
    await rig.once('2026-11-21 02:00:00');
    scheduler.start();
    expect(await report()).toEqual({
      status: 'healthy',
      scheduled_calls_pending: 2,
      scheduled_calls_total: 2,
      last_execution: null,
      failed_executions_today: 0,
      next_execution: '2026-11-21T01:00:00.000Z',
      lag_ms: 0,
      timezone: 'Europe/Berlin',
      reason: null,
    });
    await scheduler.stop();
  });

  it('is degraded when something waits too long, and bad when the loop does not turn', async () => {
    const { rig, scheduler, report } = await open();
    await rig.once('2026-11-21 01:00:00');
    rig.clock.setWall(Date.parse('2026-11-21T01:00:05.001Z'));
    expect(await report()).toMatchObject({ status: 'degraded', lag_ms: 5_001 });
    scheduler.start();
    await rig.clock.advance(1_000);
    expect(await report()).toMatchObject({ status: 'healthy', lag_ms: 0, scheduled_calls_pending: 0 });
    await scheduler.stop();
    await rig.clock.advance(10_001);
    expect(await report()).toMatchObject({ status: 'unhealthy' });
  });

  it('counts what has failed since midnight where it is', async () => {
    const { rig, report } = await open();
    const { id } = await rig.once('2026-11-21 22:59:00');
    rig.clock.setWall(Date.parse('2026-11-21T22:59:00Z'));
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await report()).toMatchObject({
      failed_executions_today: 1,
      last_execution: '2026-11-21T22:59:00.000Z',
    });
    // Midnight in Berlin.
    rig.clock.setWall(Date.parse('2026-11-21T23:00:00Z'));
    expect(await report()).toMatchObject({ failed_executions_today: 0 });
  });
});
