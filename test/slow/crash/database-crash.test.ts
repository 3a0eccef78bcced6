import { afterEach, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '#kernel/time/clock.js';
import { CallLoad } from '#test/support/call-load.js';
import { once } from '#test/support/call-story.js';
import { startPostgres } from '#test/support/postgres.js';
import { rounds } from '#test/support/tier.js';

const CALLS = rounds(100, 300);
const CRASHES = rounds(1, 2);
/** Long enough to ask for all of them before the first is due, also on a busy machine. */
const DUE_IN_MS = CALLS * 50;
/** What stays between two crashes, and how long the server is away. */
const [THERE_MS, AWAY_MS] = [900, 1_500];

let load: CallLoad;
afterEach(() => load.killAll());

const postgres = await startPostgres();

describe.skipIf(postgres.isMissing)('calls that two processes dial while their PostgreSQL crashes', () => {
  it('are each dialled once, and both processes go on by themselves', async () => {
    load = new CallLoad('look_up', {
      DATABASE_URL: await postgres.server.createDatabase(),
      MAX_CONCURRENT_CALLS: '40',
      SANDBOX_FAULTS: 'latency_ms=40',
    });
    await Promise.all([0, 1].map((index) => load.start(index)));
    await load.ask(CALLS, DUE_IN_MS);
    await once(async () => expect(load.timesDialled().size).toBeGreaterThan(0));
    for (let crash = 0; crash < CRASHES; crash += 1) {
      await sleep(systemClock, THERE_MS);
      await postgres.server.crash();
      await sleep(systemClock, AWAY_MS);
      await postgres.server.start();
    }
    await load.expectEachOnce([]);
    for (const index of [0, 1]) {
      const { request } = load.service(index);
      await expect.poll(async () => (await request('GET', '/health/ready')).status).toBe(200);
      expect(await load.service(index).stop()).toBe(0);
    }
  });
});
