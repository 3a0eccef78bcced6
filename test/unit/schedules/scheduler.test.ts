import { beforeEach, describe, expect, it } from 'vitest';
import { endingTransactions } from '#calls/endings/ending-store.js';
import { Problem } from '#kernel/errors/errors.js';
import { schedulerTransactions } from '#schedules/runs/scheduling/scheduler-store.js';
import type { Store } from '#store/store.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const MINUTE_MS = 60_000;
/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
beforeEach(async () => {
  rig = await ScheduleRig.open();
});

/** A store that is unavailable for the first call of a transaction. */
function awayOnceFor(missed: unknown): { store: Store; timesAway: () => number } {
  let timesAway = 0;
  const store: Store = {
    ...rig.store,
    write: (unit, args) => {
      if (unit !== missed || timesAway > 0) return rig.store.write(unit, args);
      timesAway += 1;
      return Promise.reject(new Problem('unavailable', 'The database cannot be used.'));
    },
  };
  return { store, timesAway: () => timesAway };
}

describe('the scheduler', () => {
  it('is not stopped by a row that cannot be read', async () => {
    const broken = await rig.recurring('0 1 * * *');
    const sound = await rig.recurring('0 1 * * *');
    await rig.sabotage(`update schedules set timezone = 'Mars/Olympus' where id = ?`, broken.id);
    rig.at('01:00:00');
    const scheduler = rig.scheduler();
    scheduler.start();
    await until(async () => (await rig.live(sound.id)) !== undefined);
    expect(rig.log.lines.map((line) => line['msg'])).toContain('a schedule could not be run');
    for (let minutes = 0; minutes < 7; minutes++) await pass(MINUTE_MS);
    await until(async () => (await rig.schedule(broken.id)).status === 'failed');
    expect(await rig.statuses(broken.id)).toEqual(['failed']);
    await scheduler.stop();
  });

  it('is not stopped by an execution that cannot be read, and gives it up', async () => {
    const broken = await rig.once('2026-11-21 01:00:00');
    const sound = await rig.once('2026-11-21 01:00:00');
    await rig.sabotage(`update executions set planned_at = 'soon' where schedule_id = ?`, broken.id);
    rig.at('01:00:00');
    const scheduler = rig.scheduler();
    scheduler.start();
    await until(async () => (await rig.live(sound.id)) !== undefined);
    await until(async () => (await rig.schedule(broken.id)).status === 'failed');
    expect(await rig.statuses(sound.id)).toEqual(['in_progress']);
    await scheduler.stop();
  });

  it('replans the others beside an unreadable one', async () => {
    const broken = await rig.recurring('0 9 * * *');
    const sound = await rig.recurring('0 9 * * *');
    await rig.sabotage(`update schedules set retry_policy = '?' where id = ?`, broken.id);
    const plannedAt = (await rig.schedule(sound.id)).next_run_at;
    const newer = rig.scheduler('2026a');
    newer.start();
    await until(async () => (await rig.schedule(sound.id)).time_zone_version === '2026a');
    const told = () => rig.log.lines.filter((line) => line['msg'] === 'a schedule could not be replanned');
    await until(() => told().length > 0);
    await newer.stop();
    expect(told().map((line) => line['schedule_id'])).toEqual([broken.id]);
    expect(await rig.schedule(sound.id)).toMatchObject({
      status: 'scheduled',
      next_run_at: plannedAt,
    });
  });

  it('puts aside the end of a call that cannot be applied, and takes it up again at the next start', async () => {
    const { id } = await rig.once('2026-11-21 01:00:00');
    rig.at('01:00:00');
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

  it('keeps a late run while the store is unavailable, and makes it afterwards', async () => {
    const { id } = await rig.once('2026-11-21 01:00:00', { grace_seconds: 3_600 });
    rig.at('01:10:00');
    const { store, timesAway } = awayOnceFor(schedulerTransactions.performDue);
    const scheduler = rig.scheduler('2025c', store);
    scheduler.start();
    await until(() => timesAway() === 1);
    await until(async () => {
      await rig.clock.advance(1_000);
      return (await rig.live(id)) !== undefined;
    });
    expect(await rig.statuses(id)).toEqual(['in_progress']);
    await scheduler.stop();
  });

  it('settles the end of a call after an outage of the store, without a restart', async () => {
    const { id } = await rig.once('2026-11-21 01:00:00');
    rig.at('01:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    await rig.end(call, 'busy');
    // As before the end is settled.
    await rig.sabotage('update calls set unsettled = 1 where id = ?', call);
    await rig.sabotage(`update executions set status = 'in_progress', finished_at = null`);
    const { store, timesAway } = awayOnceFor(schedulerTransactions.settle);
    const scheduler = rig.scheduler('2025c', store);
    scheduler.start();
    await until(() => timesAway() === 1);
    await until(async () => {
      await rig.clock.advance(1_000);
      const [execution] = await rig.executions(id);
      return execution?.status === 'failed';
    });
    await scheduler.stop();
  });

  it.each([
    ['call', `update calls set customer_data = '{bad'`],
    ['execution', `update executions set late_ms = 'very' where status = 'in_progress'`],
  ])('goes on after a run of which the %s cannot be read', async (_, damage) => {
    const { id } = await rig.recurring('0 * * * *', { max_occurrences: 2 });
    rig.at('01:00:00');
    await rig.runDue();
    const call = (await rig.live(id))!.call_id!;
    await rig.sabotage(damage);
    await rig.store.write(endingTransactions.finish, {
      callId: call,
      details: rig.txContexts.finish(call, 'damaged'),
    });
    await rig.settle(call);
    expect(await rig.executions(id)).toMatchObject([
      { status: 'failed', error: 'damaged' },
      { status: 'pending' },
    ]);
    rig.at('02:00:00');
    await rig.runDue();
    expect(await rig.live(id)).toBeDefined();
  });

  it('replans in its zone what was planned with other time-zone data', async () => {
    const once = await rig.once('2026-12-25 10:00:00', { timezone: 'Europe/Berlin' });
    const daily = await rig.recurring('0 9 * * *', { timezone: 'Europe/Berlin' });
    const wrong = Date.parse('2026-12-25T08:00:00Z');
    const plans = { [once.id]: wrong, [daily.id]: Date.parse('2026-11-21T07:00:00Z') };
    for (const [id, at] of Object.entries(plans)) {
      await rig.sabotage(
        'update executions set planned_at = ?, due_at = ? where schedule_id = ?',
        at,
        at,
        id,
      );
      await rig.sabotage('update schedules set next_run_at = ? where id = ?', at, id);
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

  it.each(['once', 'daily'])(
    'does not run what is due by the data of before and lies ahead by that of now: %s',
    async (kind) => {
      const berlin = { timezone: 'Europe/Berlin' };
      const { id } =
        kind === 'once'
          ? await rig.once('2026-11-21 09:00:00', berlin)
          : await rig.recurring('0 9 * * *', berlin);
      const early = Date.parse('2026-11-21T07:00:00Z');
      await rig.sabotage(
        'update executions set planned_at = ?, due_at = ? where schedule_id = ?',
        early,
        early,
        id,
      );
      rig.at('07:01:00');
      const now = rig.clock.wallMs();
      const [due] = await rig.store.write(schedulerTransactions.claim, {
        now,
        leaseUntil: now + 15_000,
        limit: 1,
      });
      await rig.perform(due!, '2026a');
      expect(await rig.queued()).toBe(0);
      const nine = Date.parse('2026-11-21T08:00:00Z');
      expect((await rig.executions(id))[0]).toMatchObject({
        status: 'pending',
        planned_at: nine,
        due_at: nine,
      });
      rig.at('08:00:00');
      const [again] = await rig.store.write(schedulerTransactions.claim, {
        now: nine,
        leaseUntil: nine + 15_000,
        limit: 1,
      });
      await rig.perform(again!, '2026a');
      expect(await rig.queued()).toBe(1);
    },
  );

  it('plans no second run for the day on which its zone turned out to be behind', async () => {
    const { id } = await rig.recurring('0 9 * * *', { timezone: 'Europe/Berlin' });
    // By the old data, nine o'clock in Berlin was two hours earlier: today's run is over.
    const [today, tomorrow] = ['2026-11-21T06:00:00Z', '2026-11-22T06:00:00Z'].map((at) => Date.parse(at));
    await rig.sabotage(
      'update executions set planned_at = ?, due_at = ? where schedule_id = ?',
      tomorrow!,
      tomorrow!,
      id,
    );
    await rig.sabotage(
      'update schedules set next_run_at = ?, planned_after = ? where id = ?',
      tomorrow!,
      today!,
      id,
    );
    rig.at('06:30:00');
    const newer = rig.scheduler('2026a');
    newer.start();
    await until(async () => (await rig.schedule(id)).time_zone_version === '2026a');
    await newer.stop();
    expect((await rig.executions(id))[0]!.planned_at).toBe(Date.parse('2026-11-22T08:00:00Z'));
  });

  it('makes one call of a run claimed by several processes', async () => {
    const { id } = await rig.recurring('0 1 * * *');
    rig.at('01:00:00');
    const now = rig.clock.wallMs();
    const [due] = await rig.store.write(schedulerTransactions.claim, {
      now,
      leaseUntil: now + 15_000,
      limit: 10,
    });
    expect(
      await rig.store.write(schedulerTransactions.claim, { now, leaseUntil: now + 15_000, limit: 10 }),
    ).toEqual([]);
    // The first process was frozen longer than its lease and continues beside the other.
    await Promise.all([rig.perform(due!), rig.perform(due!), rig.perform(due!)]);
    expect(await rig.queued()).toBe(1);
    expect(await rig.statuses(id)).toEqual(['in_progress', 'pending']);
  });

  it('catches up with 500 schedules after a stall of two hours', async () => {
    for (let i = 0; i < 500; i++) await rig.recurring(`${i % 60} * * * *`);
    rig.at('02:30:30');
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
  });
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
