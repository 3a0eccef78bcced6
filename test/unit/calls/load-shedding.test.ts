import { describe, expect, it } from 'vitest';
import { Dialler, type DiallerParts } from '#calls/dialling/dialler.js';
import { LoadShedding } from '#calls/lines/load-shedding.js';
import { TRUSTED } from '#test/support/trusted-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';

interface Circumstances {
  due: number;
  freeSlots?: number;
  rateLimiter?: number;
  isDatabaseAway?: boolean;
}

/** A dialler that finds so many calls due, with what may be in their way. */
function openDialler(
  loadShedding: LoadShedding,
  { due, freeSlots = 1_000, rateLimiter = 1_000, isDatabaseAway }: Circumstances,
) {
  return new Dialler({
    loadShedding,
    clock: new FakeClock(),
    clockTrust: TRUSTED,
    slots: { free: () => freeSlots, take: () => {} },
    rateLimiter: { available: rateLimiter, spend: () => {}, giveBack: () => {} },
    timings: { leaseMs: 45_000 },
    nodeId: 'node_1',
    beforeDialling: async () => {},
    store: {
      async write(_unit: unknown, { limit }: { limit: number }) {
        if (isDatabaseAway) throw new Error('the database is away');
        const count = Math.min(due, limit);
        return Array.from({ length: count }, (_, i) => ({ call_id: `call_${i}`, lane: 'single' }));
      },
    },
  } as unknown as DiallerParts);
}

describe('a loadShedding of calls', () => {
  it('is on while more are due than can be in hand', async () => {
    const loadShedding = new LoadShedding();
    expect(loadShedding.isOn).toBe(false);
    expect(await openDialler(loadShedding, { due: 10_000 }).claim(256)).toHaveLength(256);
    expect(loadShedding.isOn).toBe(true);
    expect(await openDialler(loadShedding, { due: 2 }).claim(3)).toHaveLength(2);
    expect(loadShedding.isOn).toBe(false);
  });

  it.each([
    ['the slots', { freeSlots: 50 }],
    ['the pace of the carrier', { rateLimiter: 10 }],
    ['slots of which none is free', { freeSlots: 0 }],
  ])('is none where the limit is set by %s', async (_what, limits) => {
    const loadShedding = new LoadShedding();
    loadShedding.recordClaim(256, 256);
    await openDialler(loadShedding, { due: 10_000, ...limits }).claim(256);
    expect(loadShedding.isOn).toBe(false);
  });

  it('is over when the database is away', async () => {
    const loadShedding = new LoadShedding();
    loadShedding.recordClaim(256, 256);
    const dialler = openDialler(loadShedding, { due: 10_000, isDatabaseAway: true });
    await expect(dialler.claim(256)).rejects.toThrow('away');
    expect(loadShedding.isOn).toBe(false);
  });

  it('is over when nobody takes any more', () => {
    const loadShedding = new LoadShedding();
    loadShedding.recordClaim(256, 256);
    loadShedding.turnOff();
    expect(loadShedding.isOn).toBe(false);
  });
});
