import { beforeEach, describe, expect, it } from 'vitest';
import { toInstant } from '../../../src/kernel/clock.js';
import { schedulerUnits } from '../../../src/schedules/scheduler-store.js';
import { PRINCIPAL } from '../../support/call-rig.js';
import { ScheduleRig } from '../../support/schedule-rig.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

const at = (text: string) => rig.clock.setWall(Date.parse(`2026-11-21T${text}Z`));
const statuses = async (id: string) => (await rig.executions(id)).map(({ status }) => status);
const events = async (id: string) => (await rig.told(id)).map(({ event }) => event);
const WATCHED = { webhook_url: 'https://example.com/hook' };

describe('a one-time schedule', () => {
  it('calls at its time, once, and is completed with its call', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, metadata: { a: 1 } });
    at('09:59:59.999');
    await rig.runDue();
    expect(await statuses(id)).toEqual(['pending']);
    at('10:00:00.412');
    await rig.runDue();
    await rig.runDue();
    const [execution] = await rig.executions(id);
    expect(execution).toMatchObject({ status: 'in_progress', late_ms: 412, attempt: 1 });
    expect(await rig.schedule(id)).toMatchObject({ status: 'in_progress', next_run_at: null });
    expect(await rig.call(execution!.call_id!)).toMatchObject({
      to_phone: '+14155550123',
      schedule_id: id,
      execution_id: execution!.id,
      metadata: { a: 1 },
    });
    expect(await rig.queued()).toBe(1);

    at('10:02:00.412');
    await rig.end(execution!.call_id!, 'customer_hangup', { answered: true, talkMs: 90_000 });
    expect(await rig.executions(id)).toMatchObject([{ status: 'completed', duration: 90, error: null }]);
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', last_status: 'completed' });
    const told = await rig.told(id);
    expect(told.map(({ event }) => event)).toEqual(['started', 'completed']);
    expect(told[1]).toMatchObject({
      event_type: 'scheduled_call.completed',
      data: { execution_id: execution!.id, schedule_id: id, duration: 90, metadata: { a: 1 } },
    });
  });

  it('tries again as its policy says, after the end of the try before', async () => {
    const retry_policy = { max_retries: 3, retry_delay: 60, exponential_backoff: true, retry_on: ['busy'] };
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, retry_policy });
    const fail = async (time: string, reason: 'busy' | 'no_answer') => {
      at(time);
      await rig.end((await rig.live(id))!.call_id!, reason);
    };
    at('10:00:00');
    await rig.runDue();
    await fail('10:00:20', 'busy');
    expect((await rig.executions(id)).map(({ planned_at }) => toInstant(planned_at).slice(11, 19))).toEqual([
      '10:00:00',
      '10:01:20',
    ]);
    at('10:01:19');
    await rig.runDue();
    expect(await rig.live(id)).toBeUndefined();
    at('10:01:20');
    await rig.runDue();
    await fail('10:01:20', 'busy');
    at('10:03:20');
    await rig.runDue();
    await fail('10:03:20', 'no_answer');

    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'busy', attempt: 1, reason: null },
      { status: 'failed', error: 'busy', attempt: 2, reason: 'busy' },
      { status: 'failed', error: 'no_answer', attempt: 3, reason: 'busy' },
    ]);
    expect(await rig.schedule(id)).toMatchObject({ status: 'failed' });
    expect(await events(id)).toEqual(['started', 'failed']);
    expect(
      (await rig.schedules.history(PRINCIPAL, id, { cursor: null, limit: 10 })).items.map((e) => e.trigger),
    ).toEqual(['schedule', 'retry', 'retry']);
  });

  it('calls nobody long after the time, nor twice when it is uncertain', async () => {
    const late = await rig.once('2026-11-21 10:00:00', WATCHED);
    const uncertain = await rig.once('2026-11-21 12:00:00', {
      retry_policy: { retry_on: ['failed', 'busy', 'timeout', 'no_answer', 'voicemail'] },
    });
    at('10:05:01');
    await rig.runDue();
    expect(await rig.executions(late.id)).toMatchObject([
      { status: 'missed', call_id: null, error: 'missed: 301 seconds late, with a grace of 300' },
    ]);
    expect(await rig.schedule(late.id)).toMatchObject({ status: 'failed' });
    expect(await events(late.id)).toEqual(['failed']);
    at('12:05:00.999');
    await rig.runDue();
    await rig.end((await rig.live(uncertain.id))!.call_id!, 'uncertain');
    expect(await rig.executions(uncertain.id)).toMatchObject([{ status: 'failed', error: 'uncertain' }]);
  });

  it('is armed again by a new future time, and keeps its history', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    at('10:00:00');
    await rig.runDue();
    await expect(rig.update(id, { name: 'x' })).rejects.toMatchObject({ code: 'invalid_state' });
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    expect(await rig.update(id, { name: 'x' })).toMatchObject({ status: 'failed', name: 'x' });
    expect(await rig.update(id, { scheduled_time: '2026-11-21 11:00:00' })).toMatchObject({
      status: 'scheduled',
    });
    at('11:00:00');
    await rig.runDue();
    expect(await statuses(id)).toEqual(['failed', 'in_progress']);
  });

  it('resumed after its time is missed; within grace it runs', async () => {
    const [early, late] = [
      await rig.once('2026-11-21 10:00:00'),
      await rig.once('2026-11-21 09:00:00', WATCHED),
    ];
    for (const { id } of [early, late]) await rig.schedules.pause(PRINCIPAL, id);
    at('10:04:00');
    await rig.runDue();
    expect(await statuses(early.id)).toEqual(['held']);
    expect(await rig.schedules.resume(PRINCIPAL, early.id)).toMatchObject({ status: 'scheduled' });
    expect(await rig.schedules.resume(PRINCIPAL, late.id)).toMatchObject({ status: 'failed' });
    await rig.runDue();
    expect(await statuses(early.id)).toEqual(['in_progress']);
    expect(await statuses(late.id)).toEqual(['missed']);
    expect(await events(late.id)).toEqual(['failed']);
  });

  it('deleted while its call goes on: the call goes on, its result is told, nothing follows', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', { ...WATCHED, retry_policy: { max_retries: 3 } });
    at('10:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    expect(await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false })).toMatchObject({
      status: 'cancelled',
    });
    expect((await rig.call(call))!.ended_at).toBeNull();
    await rig.end(call, 'busy');
    expect(await statuses(id)).toEqual(['failed']);
    expect(await rig.schedule(id)).toMatchObject({ status: 'cancelled' });
    expect(await events(id)).toEqual(['started', 'failed']);
  });

  it('deleted with hangup ends the call; purged it is gone, and the end of its call harms nobody', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    const other = await rig.once('2026-11-21 10:00:00');
    at('10:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: true, purge: false });
    expect(await rig.call(call)).toMatchObject({ ended_reason: 'api_disconnect' });
    const orphan = (await rig.live(other.id))!.call_id!;
    await rig.schedules.cancel(PRINCIPAL, other.id, { hangUp: false, purge: true });
    await rig.end(orphan, 'customer_hangup', { answered: true });
    await expect(rig.schedules.get(PRINCIPAL, other.id)).rejects.toMatchObject({
      code: 'scheduled_call_not_found',
    });
  });

  it('without its agent fails and says so', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    await rig.sabotage('update agents set deleted_at = 1');
    at('10:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'agent_not_found', call_id: null },
    ]);
    expect(await events(id)).toEqual(['failed']);
  });
});

describe('a recurring schedule', () => {
  it('runs again and again, and ends after its last run', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 2, ...WATCHED });
    for (const time of ['01:00:00', '02:00:00']) {
      at(time);
      await rig.runDue();
      expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled' });
      await rig.end((await rig.live(id))!.call_id!, 'customer_hangup', { answered: true });
    }
    expect(await rig.schedule(id)).toMatchObject({ status: 'completed', occurrences: 2, next_run_at: null });
    expect(await statuses(id)).toEqual(['completed', 'completed']);
    expect(await rig.update(id, { max_occurrences: 3 })).toMatchObject({
      status: 'scheduled',
      next_execution_time: '2026-11-21T03:00:00.000Z',
    });
  });

  it('skips what overlaps, and gives up waiting tries for the newer run', async () => {
    const policy = { max_retries: 1, retry_delay: 3 * 3600 };
    const { id } = await rig.recurring('0 * * * *', { ...WATCHED, retry_policy: policy });
    at('01:00:00');
    await rig.runDue();
    at('02:00:00');
    await rig.runDue();
    expect(await rig.executions(id)).toMatchObject([
      { status: 'in_progress' },
      { status: 'skipped', error: 'overlap' },
      { status: 'pending' },
    ]);
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    at('03:00:00');
    await rig.runDue();
    expect((await rig.executions(id)).find(({ attempt }) => attempt === 2)).toMatchObject({
      status: 'cancelled',
    });
    expect(await events(id)).toEqual(['started', 'failed', 'started']);
    expect(await rig.schedule(id)).toMatchObject({ occurrences: 2 });
  });

  it('after a stop runs at most the newest that is not too old, and tells of the others', async () => {
    const { id } = await rig.recurring('*/2 * * * *', WATCHED);
    at('02:01:00');
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
    expect((await events(id)).filter((event) => event === 'failed')).toHaveLength(59);
  });

  it('of a backlog of weeks, tells of the newer part only', async () => {
    const { id } = await rig.recurring('* * * * *');
    rig.clock.setWall(Date.UTC(2026, 11, 21));
    await rig.runDue();
    expect((await rig.executions(id)).length).toBeLessThan(1_010);
  }, 20_000);

  it('gives back an occurrence that never reached dialling', async () => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 1 });
    at('01:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'suppressed', { dialled: false });
    expect(await rig.schedule(id)).toMatchObject({
      status: 'scheduled',
      occurrences: 0,
      next_run_at: Date.parse('2026-11-21T02:00:00Z'),
    });
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
    at('01:00:30');
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

describe('the scheduler', () => {
  it('is not stopped by a row that cannot be read', async () => {
    const broken = await rig.recurring('0 1 * * *');
    const sound = await rig.recurring('0 1 * * *');
    await rig.sabotage(`update schedules set timezone = 'Mars/Olympus' where id = ?`, broken.id);
    at('01:00:00');
    const scheduler = rig.scheduler();
    scheduler.start();
    await until(async () => (await rig.live(sound.id)) !== undefined);
    expect(rig.log.lines.map((line) => line['msg'])).toContain('a schedule could not be run');
    for (let minutes = 0; minutes < 7; minutes++) await pass(MINUTE_MS);
    await until(async () => (await rig.schedule(broken.id)).status === 'failed');
    expect(await statuses(broken.id)).toEqual(['failed']);
    await scheduler.stop();
  });

  it('puts aside the end of a call that cannot be applied, and takes it up again at the next start', async () => {
    const { id } = await rig.once('2026-11-21 01:00:00');
    at('01:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    await rig.sabotage(`update schedules set retry_policy = '?' where id = ?`, id);
    await expect(rig.end(call, 'customer_hangup', { answered: true })).rejects.toThrow('not valid JSON');
    const first = rig.scheduler();
    first.start();
    await until(() =>
      rig.log.lines.some((line) => String(line['msg']).startsWith('the end of a call could not')),
    );
    await first.stop();
    const policy = JSON.stringify({
      max_retries: 0,
      retry_delay: 1,
      exponential_backoff: false,
      retry_on: [],
    });
    await rig.sabotage('update schedules set retry_policy = ? where id = ?', policy, id);
    const second = rig.scheduler();
    second.start();
    await until(async () => (await rig.schedule(id)).status === 'completed');
    await second.stop();
  });

  it('plans anew what was planned with other time-zone data, in its zone', async () => {
    const once = await rig.once('2026-12-25 10:00:00', { timezone: 'Europe/Berlin' });
    const daily = await rig.recurring('0 9 * * *', { timezone: 'Europe/Berlin' });
    const wrong = Date.parse('2026-12-25T08:00:00Z');
    for (const { id } of [once, daily]) {
      await rig.sabotage(
        'update executions set planned_at = ?, due_at = ? where schedule_id = ?',
        wrong,
        wrong,
        id,
      );
      await rig.sabotage('update schedules set next_run_at = ? where id = ?', wrong, id);
    }
    const same = rig.scheduler('2025c');
    same.start();
    await pass(MINUTE_MS);
    await same.stop();
    expect((await rig.executions(once.id))[0]!.planned_at).toBe(wrong);
    const newer = rig.scheduler('2026a');
    newer.start();
    await until(async () => (await rig.schedule(daily.id)).time_zone_version === '2026a');
    await newer.stop();
    expect((await rig.executions(once.id))[0]!.planned_at).toBe(Date.parse('2026-12-25T09:00:00Z'));
    expect((await rig.executions(daily.id))[0]!.planned_at).toBe(Date.parse('2026-11-21T08:00:00Z'));
    expect(await rig.schedule(once.id)).toMatchObject({ next_run_at: Date.parse('2026-12-25T09:00:00Z') });
  });

  it('makes one call of what several take in hand', async () => {
    const { id } = await rig.recurring('0 1 * * *');
    at('01:00:00');
    const now = rig.clock.wallMs();
    const [due] = await rig.store.write(schedulerUnits.claim, { now, leaseUntil: now + 15_000, limit: 10 });
    expect(await rig.store.write(schedulerUnits.claim, { now, leaseUntil: now + 15_000, limit: 10 })).toEqual(
      [],
    );
    // Its holder was frozen for longer than the lease, and comes back beside the other.
    await Promise.all([rig.perform(due!), rig.perform(due!), rig.perform(due!)]);
    expect(await rig.queued()).toBe(1);
    expect(await statuses(id)).toEqual(['in_progress', 'pending']);
  });

  it('catches up with 500 schedules after two hours of standing still', async () => {
    for (let i = 0; i < 500; i++) await rig.recurring(`${i % 60} * * * *`);
    at('02:30:30');
    await rig.runDue();
    const row = await rig.run((tx) =>
      tx.all(
        `select schedule_id, sum(case when status = 'in_progress' then 1 else 0 end) as live,
           sum(case when status = 'pending' then 1 else 0 end) as pending,
           sum(case when status = 'in_progress' and late_ms > 300999 then 1 else 0 end) as late
         from executions group by schedule_id`,
      ),
    );
    expect(row).toHaveLength(500);
    expect(row.every(({ live, pending, late }) => Number(live) <= 1 && pending === 1 && late === 0)).toBe(
      true,
    );
    // The minutes 26 to 30, of eight schedules each, are within grace.
    expect(row.filter(({ live }) => live === 1)).toHaveLength(40);
  }, 30_000);
});

async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += 1_000) await rig.clock.advance(1_000);
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let round = 0; round < 600; round++) {
    if (await condition()) return;
    await rig.clock.advance(1_000);
  }
  throw new Error('the condition never held');
}
