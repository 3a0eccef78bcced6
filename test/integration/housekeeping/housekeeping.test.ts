import { beforeEach, describe, expect, it } from 'vitest';
import { createHousekeeping, type Housekeeping } from '#housekeeping/housekeeping.js';
import type { Purge } from '#housekeeping/retention-sweep.js';
import { housekeepingTransactions } from '#housekeeping/housekeeping.js';
import type { Store } from '#store/store.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { startTestStore } from '#test/support/store.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

describe.each(engines)('the housekeeping, on %s', (engine) => {
  let clock: FakeClock;
  let store: Store;
  let opened: Housekeeping[];

  beforeEach(async () => {
    clock = new FakeClock();
    store = await startTestStore(await databaseOn(engine));
    opened = [];
    return async () => {
      for (const housekeeping of opened) await housekeeping.stop();
      await store.close();
    };
  });

  function open(purges: Purge[]) {
    const { log, lines } = createMemoryLog();
    const housekeeping = createHousekeeping({ store, clock, log }, purges);
    opened.push(housekeeping);
    return { housekeeping, lines };
  }

  /** A housekeeping at work, and the instant by which it last forgot. */
  function started() {
    let forgottenAt: number | null = null;
    const { housekeeping } = open([async (now) => ((forgottenAt = now), false)]);
    housekeeping.start();
    /** A round that begins now. */
    const round = async () => {
      forgottenAt = null;
      await clock.advance(10 * 60_000);
      await expect.poll(async () => (await clock.advance(0), forgottenAt)).not.toBeNull();
      return forgottenAt!;
    };
    return { housekeeping, round };
  }

  it('continues, by the right time, when the clock was ten years ahead for a moment', async () => {
    const { round } = started();
    await round();
    const right = clock.wallMs();
    clock.setWall(right + 10 * YEAR_MS);
    expect(await round()).toBeLessThanOrEqual(right + 10 * 60_000);
    clock.setWall(clock.wallMs() - 10 * YEAR_MS);
    expect(await round()).toBe(clock.wallMs());
  });

  it('continues from the stored present when it is started with a clock far ahead', async () => {
    const first = started();
    const reached = await first.round();
    await first.housekeeping.stop();
    clock.setWall(clock.wallMs() + YEAR_MS);
    const second = started();
    expect(await second.round()).toBeLessThanOrEqual(reached + 20 * 60_000);
    await second.housekeeping.stop();
    expect(await store.read(housekeepingTransactions.reached, {})).toBeLessThanOrEqual(reached + 20 * 60_000);
  });

  it('stops between two slices, and continues at the next start', async () => {
    let slices = 0;
    let reach = () => {};
    const reached = new Promise<void>((resolve) => (reach = resolve));
    const { housekeeping } = open([
      async () => {
        slices += 1;
        if (slices === 3) reach();
        // There is always more.
        await store.read(housekeepingTransactions.reached, {});
        return true;
      },
    ]);
    housekeeping.start();
    await reached;
    await housekeeping.stop();
    const before = slices;
    await store.read(housekeepingTransactions.reached, {});
    expect(slices).toBe(before);
    await clock.advance(10 * 60_000);
    housekeeping.start();
    await expect.poll(() => slices).toBeGreaterThan(before);
  });

  it('runs the other purges when one fails', async () => {
    let isReached = false;
    const { housekeeping, lines } = open([
      () => Promise.reject(new Error('the disk is full')),
      async () => ((isReached = true), false),
    ]);
    housekeeping.start();
    await expect.poll(() => isReached).toBe(true);
    await housekeeping.stop();
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'piece of work failed' }));
  });
});
