import { beforeEach, describe, expect, it } from 'vitest';
import { PRINCIPAL } from '#test/support/principal.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const HOUR_MS = 3_600_000;
/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

const WATCHED = { webhook_url: 'https://example.com/hook' };

describe('a recurring schedule', () => {
  it('runs again and again, and ends after its last run', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 2, ...WATCHED });
    for (const time of ['01:00:00', '02:00:00']) {
      rig.at(time);
      await rig.runDue();
      expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled' });
      await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    }
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', occurrences: 2, next_run_at: null });
    expect(await rig.statuses(id)).toEqual(['completed', 'completed']);
    expect(await rig.update(id, { max_occurrences: 3 })).toMatchObject({
      status: 'scheduled',
      next_execution_time: '2026-11-21T03:00:00.000Z',
    });
  });

  it('skips an overlapping run, and cancels a waiting retry for a newer run', async () => {
    const policy = { max_retries: 1, retry_delay: 3 * 3600 };
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, retry_policy: policy });
    rig.at('01:00:00');
    await rig.runDue();
    rig.at('02:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'in_progress' },
      { status: 'skipped', error: 'overlap' },
      { status: 'pending' },
    ]);
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    rig.at('03:00:00');
    await rig.runDue();
    expect((await rig.executions(id)).find(({ attempt }) => attempt === 2)).toMatchObject({
      status: 'cancelled',
    });
    expect(await rig.events(id)).toEqual(['started', 'failed', 'started']);
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 2 });
  });

  it('after a stop runs at most the newest that is not too old, and tells of the others', async () => {
    const { id } = await rig.recurring('*/2 * * * *', WATCHED);
    rig.at('02:01:00');
    await rig.runDue();
    const executions = await rig.executions(id);
    expect(executions.filter(({ status }) => status === 'missed')).toHaveLength(59);
    expect(executions.at(-2)).toMatchObject({
      status: 'in_progress',
      planned_at: Date.parse('2026-11-21T02:00:00Z'),
    });
    expect(executions.at(-1)).toMatchObject({
      status: 'pending',
      planned_at: Date.parse('2026-11-21T02:02:00Z'),
    });
    expect((await rig.events(id)).filter((event) => event === 'failed')).toHaveLength(59);
  });

  it('of a backlog of weeks, tells of the newer part only', async () => {
    const { id } = await rig.recurring('* * * * *');
    rig.clock.setWall(Date.UTC(2026, 11, 21));
    await rig.runDue();
    expect((await rig.executions(id)).length).toBeLessThan(1_010);
  });

  it('leaves an occurrence out at the very instant of the next one', async () => {
    const { id } = await rig.recurring('0 * * * *', { grace_seconds: 3_600 });
    rig.at('02:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'missed', error: 'missed: a newer occurrence is due' },
      { status: 'in_progress', planned_at: Date.parse('2026-11-21T02:00:00Z') },
      { status: 'pending' },
    ]);
  });

  it('takes voicemail for success where no retries are asked for, whatever they would be for', async () => {
    const retries = { retry_policy: { max_retries: 0, retry_on: ['voicemail'] } };
    const { id } = await rig.recurring('0 * * * *', retries);
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'voicemail', { answered: true });
    expect((await rig.statuses(id))[0]).toBe('completed');
  });

  it('keeps an occurrence that was dialled when its retry never is', async () => {
    const retries = { retry_policy: { max_retries: 1, retry_delay: 60, retry_on: ['busy'] } };
    const { id } = await rig.recurring('0 * * * *', { ...retries, max_occurrences: 2 });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    rig.at('01:02:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'suppressed', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 1 });
  });

  it('gives back an occurrence that never reached dialling', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 1 });
    rig.at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'suppressed', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({
      status: 'scheduled',
      occurrences: 0,
      next_run_at: Date.parse('2026-11-21T02:00:00Z'),
    });
  });

  it('waits to be dialled for no longer than it may be late, and is missed then', async () => {
    const retries = { retry_policy: { max_retries: 1, retry_on: ['failed'] } };
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, ...retries, grace_seconds: 60 });
    rig.at('01:00:20');
    await rig.runDue();
    expect(await rig.attempts()).toMatchObject([{ expires_at: Date.parse('2026-11-21T01:01:01Z') }]);
    rig.at('01:01:01');
    await rig.end((await rig.live(id))!.call_id!, 'no_capacity', { dialled: false });
    expect(await rig.executions(id)).toMatchObject([
      { status: 'missed', error: 'missed: no conversation slot became free in time' },
      { status: 'pending', attempt: 1 },
    ]);
    expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled', occurrences: 0 });
    expect(await rig.events(id)).toEqual(['started', 'failed']);
  });

  it('repeats nothing when the clock goes back, and misses nothing when it goes on', async () => {
    const { id } = await rig.recurring('0 * * * *');
    const started: number[] = [];
    const jumps = [1, 2, 1, 2, 3, 2.5, 3, 4, 5, 4, 3, 5, 6];
    for (const hour of jumps) {
      rig.clock.setWall(Date.UTC(2026, 10, 21) + hour * HOUR_MS);
      await rig.runDue();
      const live = await rig.live(id);
      if (!live) continue;
      started.push((live.planned_at - Date.UTC(2026, 10, 21)) / HOUR_MS);
      await rig.end(live.call_id!, 'customer_hangup', { answered: true });
    }
    expect(started).toEqual([1, 2, 3, 4, 5, 6]);
    rig.clock.setWall(Date.UTC(2026, 10, 22, 6));
    await rig.runDue();
    rig.clock.setWall(Date.UTC(2026, 10, 21, 6));
    await rig.update(id, { cron_expression: '*/30 * * * *' });
    expect(await rig.schedule(id)).toMatchObject({ next_run_at: Date.parse('2026-11-22T06:30:00Z') });
  });

  it('paused recalls its undialled call, and resumes with its next time', async () => {
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, max_occurrences: 1 });
    rig.at('01:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    rig.at('01:00:30');
    expect(await rig.schedules.pause(PRINCIPAL, id)).toMatchObject({ status: 'paused', occurrences: 0 });
    expect(await rig.call(call)).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled' });
    expect(await rig.queued()).toBe(0);
    expect(await rig.statuses(id)).toEqual(['cancelled', 'held']);
    expect(await rig.events(id)).toEqual(['started', 'failed']);
    rig.at('05:30:00');
    await rig.runDue();
    expect(await rig.schedules.resume(PRINCIPAL, id)).toMatchObject({
      status: 'scheduled',
      next_execution_time: '2026-11-21T06:00:00.000Z',
    });
    expect(await rig.queued()).toBe(0);
  });

  it('paused lets a live call go on, and keeps changes made while paused', async () => {
    const { id } = await rig.recurring('0 * * * *');
    rig.at('01:00:00');
    await rig.runDue();
    await rig.dialAll();
    await rig.schedules.pause(PRINCIPAL, id);
    expect(await rig.statuses(id)).toEqual(['in_progress', 'held']);
    await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    await rig.schedules.trigger(PRINCIPAL, id, null);
    await rig.schedules.pause(PRINCIPAL, id);
    expect(await rig.queued()).toBe(1);
  });

  it('triggered by hand runs once more, and its plan stays', async () => {
    const { id, next_execution_time: next } = await rig.recurring('0 * * * *', { max_occurrences: 5 });
    const { call_id: call } = await rig.schedules.trigger(PRINCIPAL, id, null);
    await expect(rig.schedules.trigger(PRINCIPAL, id, null)).rejects.toMatchObject({ code: 'invalid_state' });
    await rig.end(call, 'customer_hangup', { answered: true });
    const schedule = await rig.schedules.get(PRINCIPAL, id);
    expect(schedule).toMatchObject({
      status: 'scheduled',
      occurrences: 0,
      next_execution_time: next,
      call_id: call,
    });
    const { items } = await rig.schedules.history(PRINCIPAL, id, { cursor: null, limit: 10 });
    expect(items.map(({ trigger, status }) => [trigger, status])).toEqual([
      ['manual', 'completed'],
      ['schedule', 'pending'],
    ]);
  });

  it('goes on page by page through a long history', async () => {
    const { id } = await rig.recurring('*/2 * * * *');
    rig.at('01:00:30');
    await rig.runDue();
    const seen: string[] = [];
    let cursor: { createdAt: number; id: string } | null = null;
    do {
      const page: Awaited<ReturnType<typeof rig.schedules.history>> = await rig.schedules.history(
        PRINCIPAL,
        id,
        {
          cursor,
          limit: 7,
        },
      );
      seen.push(...page.items.map((item) => item.id));
      cursor = page.next;
    } while (cursor);
    expect(seen).toEqual((await rig.executions(id)).map((execution) => execution.id));
    expect(new Set(seen).size).toBe(31);
  });
});
