import { expect, it } from 'vitest';
import { Allowance } from '#ws/limits/allowance.js';
import { FakeClock } from '#test/support/fake-clock.js';

/** How many of so many are taken in. */
const taken = (allowance: Allowance, asked: number) =>
  Array.from({ length: asked }, () => allowance.take()).filter((isTaken) => isTaken).length;

it('lets a hundred in at once, then twenty a second, and counts the others', async () => {
  const clock = new FakeClock();
  const allowance = new Allowance(clock);
  expect(taken(allowance, 150)).toBe(100);
  expect(allowance.refused).toBe(50);
  await clock.advance(1_000);
  expect(taken(allowance, 30)).toBe(20);
  await clock.advance(50);
  expect(taken(allowance, 2)).toBe(1);
});

it('does not save up more than a hundred', async () => {
  const clock = new FakeClock();
  const allowance = new Allowance(clock);
  await clock.advance(3_600_000);
  expect(taken(allowance, 1_000)).toBe(100);
});
