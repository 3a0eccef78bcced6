import { afterEach, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '#kernel/time/clock.js';
import type { SandboxKind } from '#telephony/sandbox/sandbox-kinds.js';
import { CallLoad } from '#test/support/call-load.js';
import { openPostgres } from '#test/support/postgres.js';
import { randomOf, SEED, tellSeed } from '#test/support/seed.js';
import { drawn, rounds } from '#test/support/tier.js';

const CALLS = rounds(80, 1_000);
const KILLS = rounds(1, 20);
/** Each of them takes longer than a lease. */
const KILLS_AND_FREEZES = rounds(1, 20);
const KINDS: readonly SandboxKind[] = ['key', 'look_up', 'neither'];
const FAULTS = 'latency_ms=40,lost_answers=0.03,duplicated_reports=0.1,reordered_reports=0.1';
/** With a dialling deadline of 3 s, a lease ends after 4.5 s. */
const LONGER_THAN_A_LEASE_MS = 6_000;
/** Processes that have begun know of each other after five seconds. */
const KNOWN_TO_EACH_OTHER_MS = 6_000;

/** Of a carrier that can only be asked once nobody knows whether it was: then nobody says so either. */
const unrungOf = (kind: SandboxKind) => (kind === 'neither' ? (['uncertain'] as const) : []);

let load: CallLoad;
afterEach(() => load.killAll());

const postgres = await openPostgres();
tellSeed('calls that are due while processes are killed');

describe.skipIf(postgres.isMissing)('calls that three processes share, killed and frozen in turn', () => {
  it.each(drawn(1, KINDS))('are each dialled once by a carrier of the kind %s', async (kind) => {
    const random = randomOf(SEED);
    load = new CallLoad(kind, {
      DATABASE_URL: await postgres.server.createDatabase(),
      MAX_CONCURRENT_CALLS: '24',
      SANDBOX_FAULTS: FAULTS,
    });
    await Promise.all([0, 1, 2].map((index) => load.startSilent(index)));
    await load.ask(CALLS, 500);
    const freezes: Promise<void>[] = [];
    for (let kill = 0; kill < KILLS_AND_FREEZES; kill += 1) {
      await sleep(systemClock, 100 + random() * 700);
      const victim = Math.floor(random() * 3);
      // Longer than the lease of whatever it has in hand: somebody else takes that over meanwhile.
      if (kill % 2 === 0) freezes.push(load.freeze((victim + 1) % 3, LONGER_THAN_A_LEASE_MS));
      await load.kill(victim);
      await load.startSilent(victim);
      await Promise.all(freezes.splice(0));
    }
    await load.expectEachOnce(unrungOf(kind));
  });

  it('go out no faster than the carrier takes them from all together', async () => {
    const [processes, count, perSecond] = [rounds(2, 3), 20, 3];
    load = new CallLoad('look_up', {
      DATABASE_URL: await postgres.server.createDatabase(),
      CALLS_PER_SECOND: '',
    });
    const limit = { CARRIER_CALLS_PER_SECOND: `${perSecond}` };
    await Promise.all(Array.from({ length: processes }, (_, index) => load.startSilent(index, limit)));
    await load.ask(count, KNOWN_TO_EACH_OTHER_MS);
    await load.expectEachOnce([]);
    // Each of them may make the first of its calls at once. Two that do not share need half of that time.
    const leastMs = ((count - processes) / perSecond) * 1_000;
    expect(load.dialledForMs()).toBeGreaterThan(leastMs * 0.9);
  });
});

describe('calls that are due while the service is killed again and again', () => {
  it.each(drawn(1, KINDS))('are each dialled once by a carrier of the kind %s', async (kind) => {
    const random = randomOf(SEED);
    load = new CallLoad(kind, {
      MAX_CONCURRENT_CALLS: '60',
      SANDBOX_FAULTS: FAULTS,
    });
    await load.startSilent();
    await load.ask(CALLS, 500);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await sleep(systemClock, 100 + random() * 700);
      await load.kill();
      // The last one is the whole service, and is asked to end.
      await (kill < KILLS ? load.startSilent() : load.start());
    }
    await load.expectEachOnce(unrungOf(kind));
    expect(await load.service().stop()).toBe(0);
    load.expectSoundDatabase();
  });
});
