import { describe, expect, it } from 'vitest';
import { Dialler, type DiallerParts } from '#calls/dialling/dialler.js';
import { DialRush } from '#calls/lines/dial-rush.js';
import { TRUSTED } from '#test/support/trusted-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';

interface Circumstances {
  due: number;
  freeSlots?: number;
  pace?: number;
  isDatabaseAway?: boolean;
}

/** A dialler that finds so many calls due, with what may be in their way. */
function openDialler(
  rush: DialRush,
  { due, freeSlots = 1_000, pace = 1_000, isDatabaseAway }: Circumstances,
) {
  return new Dialler({
    rush,
    clock: new FakeClock(),
    clockTrust: TRUSTED,
    slots: { free: () => freeSlots, take: () => {} },
    pace: { available: pace, spend: () => {}, giveBack: () => {} },
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

describe('a rush of calls', () => {
  it('is on while more are due than can be in hand', async () => {
    const rush = new DialRush();
    expect(rush.isOn).toBe(false);
    expect(await openDialler(rush, { due: 10_000 }).claim(256)).toHaveLength(256);
    expect(rush.isOn).toBe(true);
    expect(await openDialler(rush, { due: 2 }).claim(3)).toHaveLength(2);
    expect(rush.isOn).toBe(false);
  });

  it.each([
    ['the slots', { freeSlots: 50 }],
    ['the pace of the carrier', { pace: 10 }],
    ['slots of which none is free', { freeSlots: 0 }],
  ])('is none where the limit is set by %s', async (_what, limits) => {
    const rush = new DialRush();
    rush.taken(256, 256);
    await openDialler(rush, { due: 10_000, ...limits }).claim(256);
    expect(rush.isOn).toBe(false);
  });

  it('is over when the database is away', async () => {
    const rush = new DialRush();
    rush.taken(256, 256);
    const dialler = openDialler(rush, { due: 10_000, isDatabaseAway: true });
    await expect(dialler.claim(256)).rejects.toThrow('away');
    expect(rush.isOn).toBe(false);
  });

  it('is over when nobody takes any more', () => {
    const rush = new DialRush();
    rush.taken(256, 256);
    rush.end();
    expect(rush.isOn).toBe(false);
  });
});
