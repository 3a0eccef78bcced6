import { expect, it } from 'vitest';
import { Dialler, type DiallerParts } from '#calls/dialling/dialler.js';
import { LoadShedding } from '#calls/lines/load-shedding.js';
import { CallRateLimiter } from '#calls/lines/call-rate-limiter.js';
import { TRUSTED } from '#test/support/trusted-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';

const COMMIT_MS = 5;

/** A dialler whose database takes its time for every claim, and finds so many calls due. */
function openDialler({ callsPerSecond, due }: { callsPerSecond: number; due: number }) {
  const clock = new FakeClock();
  const rateLimiter = new CallRateLimiter(callsPerSecond, clock);
  let left = due;
  const dialler = new Dialler({
    clock,
    clockTrust: TRUSTED,
    rateLimiter,
    loadShedding: new LoadShedding(),
    slots: { free: () => 1_000, take: () => {} },
    timings: { leaseMs: 45_000 },
    nodeId: 'node_1',
    beforeDialling: async () => {},
    store: {
      async write(_unit: unknown, { limit }: { limit: number }) {
        await clock.advance(COMMIT_MS);
        if (left < 0) throw new Error('the database is away');
        const count = Math.min(left, limit);
        left -= count;
        return Array.from({ length: count }, (_, i) => ({ call_id: `call_${i}`, lane: 'single' }));
      },
    },
  } as unknown as DiallerParts);
  return { dialler, clock, rateLimiter };
}

it('dials as many calls as the carrier allows, however long claims take', async () => {
  const { dialler, clock, rateLimiter } = openDialler({ callsPerSecond: 10, due: 1_000 });
  const startedAtMs = clock.monotonicMs();
  let dialled = 0;
  while (dialled < 101) {
    dialled += (await dialler.claim(256)).length;
    await clock.advance(rateLimiter.waitMs);
  }
  expect(clock.monotonicMs() - startedAtMs).toBe(10_100);
});

it.each([
  ['nothing is due', 0],
  ['the database is away', -1],
])('loses nothing of its rateLimiter where %s', async (_when, due) => {
  const { dialler, rateLimiter } = openDialler({ callsPerSecond: 100, due });
  await dialler.claim(256).catch(() => {});
  expect(rateLimiter.available).toBe(10);
});
