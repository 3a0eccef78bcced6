import { beforeEach, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { endDoubtfulRuns, restoredScheduleTransactions } from '#schedules/runs/scheduling/restored-runs.js';
import type { Store } from '#store/store.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

let rig: ScheduleRig;

beforeEach(async () => {
  rig = await ScheduleRig.open();
});

/** The database is put back to what it is now, and the service begins. */
async function restore(): Promise<number> {
  const { store, log } = rig;
  const count = await endDoubtfulRuns({ store, log: log.log }, rig.clock.wallMs());
  await rig.runDue();
  return count;
}

it('repeats no call that may have been made since the backup', async () => {
  const { id } = await rig.once('2026-11-21T09:00:00Z', { grace_seconds: 86_400 });
  rig.at('09:01:00');

  expect(await restore()).toBe(1);
  expect(await rig.queued()).toBe(0);
  expect(await rig.executions(id)).toMatchObject([
    { status: 'missed', error: 'missed: the database was restored from a backup' },
  ]);
  expect(await rig.schedule(id)).toMatchObject({ status: 'failed', next_run_at: null });
  expect(await restore()).toBe(0);
});

it('lets a recurring schedule go on with the next occurrence, also when several have passed', async () => {
  const { id } = await rig.recurring('*/5 * * * *');
  rig.at('10:01:00');

  expect(await restore()).toBe(1);
  expect(await rig.queued()).toBe(0);
  rig.at('10:05:00');
  await rig.runDue();
  expect(await rig.statuses(id)).toEqual(['missed', 'in_progress', 'pending']);
});

it('fails without effect while the store is unavailable, and can be repeated', async () => {
  const { id } = await rig.recurring('*/5 * * * *');
  rig.at('10:01:00');
  const store: Store = {
    ...rig.store,
    write: (unit, args) =>
      (unit as unknown) === restoredScheduleTransactions.end
        ? Promise.reject(new Problem('unavailable', 'The database cannot be used.'))
        : rig.store.write(unit, args),
  };

  await expect(endDoubtfulRuns({ store, log: rig.log.log }, rig.clock.wallMs())).rejects.toThrow(
    'cannot be used',
  );
  expect(await rig.statuses(id)).toEqual(['pending']);
  expect(await restore()).toBe(1);
  expect(await rig.schedule(id)).toMatchObject({ status: 'scheduled' });
});

it.each(['pending', 'claimed'])(
  'leaves what is not due yet, and a call that no carrier has heard of (%s)',
  async (stands) => {
    const later = await rig.once('2026-11-21T12:00:00Z');
    const waiting = await rig.once('2026-11-21T09:00:00Z');
    rig.at('09:00:00');
    await rig.runDue();
    const { call_id: callId } = (await rig.live(waiting.id))!;
    await rig.sabotage(`update dial_attempts set status = '${stands}' where call_id = ?`, callId);

    expect(await restore()).toBe(0);
    expect(await rig.statuses(later.id)).toEqual(['pending']);
    expect(await rig.statuses(waiting.id)).toEqual(['in_progress']);
  },
);

it('does not retry a call that was in progress, however it ends', async () => {
  const retry_policy = { max_retries: 3, retry_delay: 1, retry_on: ['no_answer'] };
  const { id } = await rig.once('2026-11-21T09:00:00Z', { retry_policy });
  rig.at('09:00:00');
  await rig.runDue();
  await rig.dialAll();
  const { call_id: callId } = (await rig.live(id))!;

  expect(await restore()).toBe(1);
  await rig.end(callId!, 'no_answer');
  rig.at('09:10:00');
  await rig.runDue();
  expect(await rig.executions(id)).toMatchObject([{ status: 'failed', error: 'uncertain' }]);
  expect(await rig.schedule(id)).toMatchObject({ status: 'failed' });
});

it('cancels a due retry', async () => {
  const retry_policy = { max_retries: 3, retry_delay: 60, retry_on: ['no_answer'] };
  const { id } = await rig.once('2026-11-21T09:00:00Z', { retry_policy });
  rig.at('09:00:00');
  await rig.runDue();
  await rig.end((await rig.live(id))!.call_id!, 'no_answer');
  rig.at('09:02:00');

  expect(await restore()).toBe(1);
  expect(await rig.statuses(id)).toEqual(['failed', 'missed']);
  expect(await rig.schedule(id)).toMatchObject({ status: 'failed' });
});

it('gives up a schedule that cannot be read, and ends the others', async () => {
  const damaged = await rig.once('2026-11-21T09:00:00Z');
  const sound = await rig.once('2026-11-21T09:00:00Z');
  await rig.sabotage(`update schedules set retry_policy = '{' where id = ?`, damaged.id);
  rig.at('09:00:00');

  expect(await restore()).toBe(2);
  expect(await rig.statuses(damaged.id)).toEqual(['failed']);
  expect(await rig.statuses(sound.id)).toEqual(['missed']);
});

it('gives up an unreadable schedule whose call was in progress, as well', async () => {
  const { id } = await rig.once('2026-11-21T09:00:00Z');
  rig.at('09:00:00');
  await rig.runDue();
  await rig.dialAll();
  await rig.sabotage(`update schedules set retry_policy = '{' where id = ?`, id);

  expect(await restore()).toBe(1);
  expect(await rig.executions(id)).toMatchObject([{ status: 'failed', error: 'uncertain' }]);
  expect(await restore()).toBe(0);
});
