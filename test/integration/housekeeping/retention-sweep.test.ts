import { describe, expect, it } from 'vitest';
import { sweepDaily } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { insertCall } from '#test/support/rows.js';
import { openTestStore } from '#test/support/store.js';
import { sweepTransactions } from './sweep-transactions.js';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const idOf = (number: number) => `call_${String(number).padStart(26, '0')}`;

/** So many calls of one age, numbered from `first` on. */
async function addCalls(
  store: Store,
  calls: { first: number; count: number; daysAgo: number; isOver: boolean },
): Promise<void> {
  const at = NOW - calls.daysAgo * DAY_MS;
  const ids = Array.from({ length: calls.count }, (_, index) => idOf(calls.first + index));
  const columns = { created_at: at, ...(calls.isOver && { ended_at: at }) };
  await Promise.all(ids.map((id) => insertCall(store, id, columns)));
}

/** A walk that removes calls thirty days after their end, and what it came to. */
function openWalk(store: Store) {
  const removed: string[] = [];
  let looks = 0;
  const purge = sweepDaily(
    {
      days: 30,
      what: 'call',
      readSlice: (walk) => ((looks += 1), store.read(sweepTransactions.endedCalls, walk)),
      removeRecord: async ({ id }) => void removed.push(id),
    },
    createMemoryLog().log,
  );
  /** One round: what it removed, and how often it looked. */
  const round = async (now: number) => {
    [removed.length, looks] = [0, 0];
    while (await purge(now));
    return { removed: [...removed], looks };
  };
  return { round };
}

describe.each(engines)('a retention sweep, on %s', (engine) => {
  const open = async () => openTestStore(await databaseOn(engine));

  it('finds old records after hundreds that stay, and reads no newer ones', async () => {
    const store = await open();
    await addCalls(store, { first: 0, count: 250, daysAgo: 90, isOver: false });
    await addCalls(store, { first: 250, count: 1, daysAgo: 60, isOver: true });
    await addCalls(store, { first: 251, count: 300, daysAgo: 20, isOver: true });
    expect(await openWalk(store).round(NOW)).toEqual({ removed: [idOf(250)], looks: 2 });
  });

  it('runs once a day, and again when the clock is set back before its start', async () => {
    const store = await open();
    await addCalls(store, { first: 0, count: 1, daysAgo: 60, isOver: true });
    const { round } = openWalk(store);
    const all = { removed: [idOf(0)], looks: 1 };
    expect(await round(NOW)).toEqual(all);
    expect(await round(NOW + DAY_MS - 1)).toEqual({ removed: [], looks: 0 });
    expect(await round(NOW + DAY_MS)).toEqual(all);
    expect(await round(NOW)).toEqual(all);
  });
});
