import { beforeEach, describe, expect, it } from 'vitest';
import { PRINCIPAL } from '#test/support/principal.js';
import { scheduleHandleTransactions } from '#schedules/schedule-handle-store.js';
import { schedulePurges } from '#schedules/schedule-retention.js';
import { ScheduleRig } from '#test/support/schedule-rig.js';

const DAY_MS = 86_400_000;
const WATCHED = { webhook_url: 'https://example.com/hook' };

/** Begins at 2026-11-21T00:00:00Z. */
let rig: ScheduleRig;
/** A sweep of an operator with a retention of thirty days. */
let purge: () => Promise<void>;

beforeEach(async () => {
  rig = await ScheduleRig.open();
  const { store, clock, log } = rig;
  purge = async () => {
    for (const once of schedulePurges({ store, clock, log: log.log }, { callDays: 30 }))
      while (await once(clock.wallMs()));
  };
});

async function isThere(id: string): Promise<boolean> {
  const [row] = await rig.run((tx) => tx.all('select id from schedules where id = ?', id));
  return row !== undefined;
}

function pass(days: number): void {
  rig.clock.setWall(rig.clock.wallMs() + days * DAY_MS);
}

describe('schedules that are over', () => {
  it('stay without a retention', () => {
    expect(schedulePurges({ ...rig, log: rig.log.log, store: rig.store }, { callDays: null })).toEqual([]);
  });

  it('are deleted with their events after the retention; their calls stay', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00', WATCHED);
    rig.at('10:00:00');
    await rig.runDue();
    const callId = (await rig.live(id))!.call_id!;
    await rig.end(callId, 'customer_hangup', { answered: true });
    pass(30);
    await purge();
    expect(await rig.schedule(id)).toMatchObject({ phone_number: '+14155550123' });
    rig.clock.setWall(rig.clock.wallMs() + 1);
    await purge();
    expect(await isThere(id)).toBe(false);
    expect(await rig.executions(id)).toEqual([]);
    expect(await rig.told(id)).toEqual([]);
    expect(await rig.call(callId)).not.toBeNull();
    const [target] = await rig.run((tx) => tx.all('select active from webhooks where owner_id = ?', id));
    expect(target).toMatchObject({ active: 0 });
  });

  it('go also when their history is long, or cannot be read', async () => {
    const { id } = await rig.recurring('*/10 * * * *', { ...WATCHED, max_occurrences: 600 });
    for (let run = 0; run < 30; run += 1) {
      rig.clock.setWall(rig.clock.wallMs() + 600_000);
      await rig.runDue();
      await rig.end((await rig.live(id))!.call_id!, 'busy');
    }
    await rig.schedules.cancel(PRINCIPAL, id, { hangUp: false, purge: false });
    await rig.sabotage(`update schedules set metadata = '{bad' where id = ?`, id);
    pass(31);
    await purge();
    expect(await isThere(id)).toBe(false);
    expect(await rig.told(id)).toEqual([]);
  });

  it('stay for as long as anything of them is to come, however old they are', async () => {
    const recurring = await rig.recurring('0 9 1 1 *');
    const paused = await rig.once('2026-11-22 10:00:00');
    await rig.schedules.pause(PRINCIPAL, paused.id);
    const live = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.dialAll();
    await rig.schedules.cancel(PRINCIPAL, live.id, { hangUp: false, purge: false });
    pass(31);
    await purge();
    for (const { id } of [recurring, paused, live]) expect(await isThere(id)).toBe(true);
    await rig.end((await rig.live(live.id))!.call_id!, 'customer_hangup', { answered: true });
    pass(31);
    await purge();
    expect(await isThere(live.id)).toBe(false);
  });

  it('stay if they are armed again during the deletion', async () => {
    const { id } = await rig.once('2026-11-21 10:00:00');
    rig.at('10:00:00');
    await rig.runDue();
    await rig.end((await rig.live(id))!.call_id!, 'busy');
    pass(31);
    rig.beforeNextWrite(() => rig.update(id, { scheduled_time: '2026-12-24 10:00:00' }));
    await purge();
    expect(await rig.statuses(id)).toEqual(['failed', 'pending']);
  });
});

describe('runs of a schedule that goes on', () => {
  /** As `/batch/scheduled-calls` shows it. */
  const handle = (id: string) => rig.store.read(scheduleHandleTransactions.find, { ...PRINCIPAL, id });

  /** A due run makes a call, which ends; then some days pass. */
  async function run(id: string, reason: 'busy' | 'customer_hangup', days: number): Promise<string> {
    await rig.runDue();
    const callId = (await rig.live(id))!.call_id!;
    await rig.end(callId, reason, { answered: reason === 'customer_hangup' });
    pass(days);
    return callId;
  }

  it('go after so many days, and are still counted; limits of runs stay as they are', async () => {
    const { id } = await rig.recurring('0 9 * * *', { max_occurrences: 20 });
    rig.at('09:00:00');
    for (let day = 0; day < 12; day += 1) await run(id, 'customer_hangup', 1);
    const before = await rig.executions(id);
    const { runs, occurrences } = await rig.schedule(id);
    pass(25);
    await purge();
    // Planned at nine of the days 0 to 12, the last of which is to come; now it is nine of day 37.
    const left = before.slice(7);
    expect(await rig.executions(id)).toEqual(left);
    expect(await handle(id)).toMatchObject({ attempts: 12, last: { id: left.at(-2)!.id } });
    expect(await rig.schedule(id)).toMatchObject({ runs, occurrences });
    await purge();
    expect(await rig.executions(id)).toEqual(left);
    pass(100);
    await purge();
    expect(await rig.executions(id)).toEqual(left.slice(-2));
    expect(await handle(id)).toMatchObject({ attempts: 12, last: { id: left.at(-2)!.id } });
  });

  it('stay for as long as they belong to a run that goes on', async () => {
    const { id } = await rig.recurring('0 9 1 * *', {
      retry_policy: { max_retries: 3, retry_delay: 86_400, retry_on: ['busy'] },
    });
    pass(10);
    rig.clock.setWall(Date.parse('2026-12-01T09:00:00Z'));
    const first = await run(id, 'customer_hangup', 31);
    const second = await run(id, 'busy', 1);
    await rig.runDue();
    const third = (await rig.live(id))!.call_id!;
    pass(40);
    await purge();
    const calls = async () => (await rig.executions(id)).map(({ call_id: callId }) => callId);
    expect(await calls()).toEqual([second, third, null]);
    expect(await handle(id)).toMatchObject({ attempts: 3 });
    await rig.end(third, 'customer_hangup', { answered: true });
    pass(31);
    await purge();
    expect(await calls()).toEqual([third, null]);
    expect(await handle(id)).toMatchObject({ attempts: 3, last: { call_id: third } });
    expect(await rig.call(first)).not.toBeNull();
  });
});
