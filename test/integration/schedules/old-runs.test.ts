import { describe, expect, it } from 'vitest';
import { schedulePurges } from '#schedules/schedule-retention.js';
import { scheduleHandleTransactions } from '#schedules/schedule-handle-store.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { insertRow, type Row } from '#test/support/rows.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { openTestStore } from '#test/support/store.js';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const SCHEDULE = { workspace: 'default', id: 'sched_1' };

describe.each(engines)('runs of long ago, on %s', (engine) => {
  async function open(): Promise<Store> {
    const store = await openTestStore(await databaseOn(engine));
    const texts = 'agent_id phone_number customer_context metadata timezone time_zone_version';
    const numbers = 'occurrences grace_seconds planned_after runs created_at updated_at';
    const row: Row = {
      ...SCHEDULE,
      kind: 'recurring',
      status: 'scheduled',
      retry_policy: '{}',
      webhook_events: '[]',
    };
    for (const name of texts.split(' ')) row[name] = name === 'agent_id' ? 'agent_1' : '{}';
    for (const name of numbers.split(' ')) row[name] = 0;
    await insertRow(store, 'schedules', row);
    return store;
  }

  function ran(store: Store, daysAgo: number, more: Row = {}): Promise<number> {
    const at = NOW - daysAgo * DAY_MS;
    const id = `exec_${String(10_000 - daysAgo * 10).padStart(5, '0')}${String(more['attempt'] ?? 1)}`;
    return insertRow(store, 'executions', {
      id,
      workspace: 'default',
      schedule_id: SCHEDULE.id,
      run: 1_000 - daysAgo,
      attempt: 1,
      origin: 'schedule',
      status: 'completed',
      planned_at: at,
      due_at: at,
      started_at: at,
      call_id: `call_${daysAgo}`,
      created_at: at,
      updated_at: at,
      ...more,
    });
  }

  async function purge(store: Store): Promise<number[]> {
    const clock = new FakeClock(NOW);
    const { log } = createMemoryLog();
    for (const once of schedulePurges({ store, clock, log }, { callDays: 30 })) while (await once(NOW));
    const rows = await store.read(sqlTransactions.all, {
      sql: 'select planned_at from executions order by planned_at, id',
    });
    return rows.map((row) => (NOW - Number(row['planned_at'])) / DAY_MS);
  }

  const callsOf = async (store: Store) =>
    (await store.read(sqlTransactions.all, { sql: 'select forgotten_calls from schedules' }))[0];

  it('go when they are older than that, however many they are, and are counted', async () => {
    const store = await open();
    await Promise.all(Array.from({ length: 600 }, (_, index) => ran(store, index + 1)));
    const left = await purge(store);
    expect(left).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
    expect(await callsOf(store)).toEqual({ forgotten_calls: 570 });
  });

  it('stay where they ended late, are open, or belong to a run that is', async () => {
    const store = await open();
    const never: Row = { call_id: null, started_at: null };
    await ran(store, 90, { status: 'missed', ...never });
    await ran(store, 80, { updated_at: NOW - DAY_MS });
    await ran(store, 70, { status: 'in_progress' });
    await ran(store, 60, { status: 'failed', run: 7 });
    await ran(store, 50, { status: 'held', run: 7, attempt: 2, ...never });
    await ran(store, 45, { status: 'completed' });
    await ran(store, 40, { status: 'skipped', ...never });
    await ran(store, 39, { status: 'missed', ...never });
    await ran(store, -1, { status: 'pending', ...never });
    expect(await purge(store)).toEqual([80, 70, 60, 50, 45, 39, -1]);
    expect(await callsOf(store)).toEqual({ forgotten_calls: 0 });
    const { attempts } = await store.read(scheduleHandleTransactions.find, SCHEDULE);
    expect(attempts).toBe(4);
  });
});
