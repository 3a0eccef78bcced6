import { describe, expect, it } from 'vitest';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { thingTransactions } from '#test/contracts/store-transactions.js';
import { THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { openPostgres } from '#test/support/postgres.js';
import { openTestStore } from '#test/support/store.js';
import { openSwallowingNetwork } from '#test/support/network-paths.js';

/** Five seconds, as docs/operations.md says, and what a busy machine takes beside them; less than twice five. */
const LONGEST_MS = 7_500;

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('a network that swallows what is sent to PostgreSQL', () => {
  it('has everybody refused soon, however many wait, and is used again when it carries', async () => {
    const { store, network } = await openBehindNetwork();
    network.swallow();
    const refusedAfterMs = async (id: string) => {
      const sinceMs = systemClock.monotonicMs();
      const refusal = await store.write(thingTransactions.putIfNew, id).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: 'unavailable' });
      return systemClock.monotonicMs() - sinceMs;
    };
    const crowd = (name: string) =>
      Promise.all(Array.from({ length: 200 }, (_, i) => refusedAfterMs(`${name}-${i}`)));
    // One that comes while the first ones wait has not waited for them when it is its turn.
    const first = crowd('silent');
    await sleep(systemClock, 300);
    expect(Math.max(...(await crowd('silent-too')))).toBeLessThan(LONGEST_MS);
    expect(Math.max(...(await first))).toBeLessThan(LONGEST_MS);
    expect(Math.max(...(await crowd('still-silent')))).toBeLessThan(LONGEST_MS);

    network.carry();
    await expect
      .poll(() => store.write(thingTransactions.putIfNew, 'after').catch(() => 'not yet'))
      .toBe(true);
    expect(await store.read(thingTransactions.count, 'silent-')).toBe(0);
  });

  it('lets the store close all the same', async () => {
    const { store, network } = await openBehindNetwork();
    network.swallow();
    const sinceMs = systemClock.monotonicMs();
    await store.close();
    expect(systemClock.monotonicMs() - sinceMs).toBeLessThan(LONGEST_MS);
  });
});

/** A store that has used all of its connections, and the way that they take. */
async function openBehindNetwork() {
  const network = await openSwallowingNetwork(await postgres.server.createDatabase());
  const store = await openTestStore({
    threadTransactions: [THING_UNITS],
    databaseUrl: network.url,
    migrationsDir: THING_MIGRATIONS,
  });
  await Promise.all(
    Array.from({ length: 8 }, (_, i) => store.write(thingTransactions.putIfNew, `before-${i}`)),
  );
  return { store, network };
}
