import { expect, it } from 'vitest';
import { SharedClock } from '#kernel/time/shared-clock.js';
import type { Store } from '#store/store.js';
import { ClockSynchroniser } from '#store/clock-synchroniser.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const HOUR_MS = 3_600_000;

/** A synchroniser whose database clock is `database.now()`. */
function open(database: { now: () => number | null }) {
  const machine = new FakeClock();
  const clock = new SharedClock(machine);
  const { log, lines } = createMemoryLog();
  const store = { read: async () => database.now() } as unknown as Store;
  return { machine, clock, lines, clockSynchroniser: new ClockSynchroniser({ store, clock, log }) };
}

it('leaves the clock alone where the database has none of its own', async () => {
  const { machine, clock, lines, clockSynchroniser } = open({ now: () => null });
  await clockSynchroniser.start();
  expect([clock.aheadMs, machine.armed, lines]).toEqual([0, 0, []]);
});

it('has set the clock when it has started, and warns once', async () => {
  const database = { now: (): number => 0 };
  const { machine, clock, lines, clockSynchroniser } = open(database);
  database.now = () => machine.wallMs() - HOUR_MS;
  await clockSynchroniser.start();
  expect(clock.aheadMs).toBe(-HOUR_MS);
  await machine.advance(60_000);
  expect(lines).toMatchObject([{ level: 'warn', database_ahead_seconds: -3_600 }]);
});

it('warns of no difference under a second', async () => {
  const database = { now: (): number => 0 };
  const { machine, clock, lines, clockSynchroniser } = open(database);
  database.now = () => machine.wallMs() + 900;
  await clockSynchroniser.start();
  expect([clock.aheadMs, lines]).toEqual([900, []]);
});

it('notices within seconds that a clock was set, also after the database was away', async () => {
  const database = { now: (): number => 0 };
  const { machine, clock, lines, clockSynchroniser } = open(database);
  database.now = () => machine.wallMs();
  await clockSynchroniser.start();
  database.now = () => {
    throw new Error('away');
  };
  await machine.advance(12_000);
  machine.setWall(machine.wallMs() + HOUR_MS);
  database.now = () => machine.wallMs() - HOUR_MS;
  await machine.advance(5_000);
  expect(clock.aheadMs).toBe(-HOUR_MS);
  expect(lines).toMatchObject([{ database_ahead_seconds: -3_600 }]);
});

it('asks the database no more once it is stopped, even while a request runs', async () => {
  const database = { now: (): number => 0 };
  const { machine, clockSynchroniser } = open(database);
  database.now = () => machine.wallMs();
  await clockSynchroniser.start();
  database.now = () => {
    clockSynchroniser.stop();
    return machine.wallMs();
  };
  await machine.advance(5_000);
  expect(machine.armed).toBe(0);
});
