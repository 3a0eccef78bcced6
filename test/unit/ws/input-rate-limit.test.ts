import { expect, it } from 'vitest';
import { InputRateLimit } from '#ws/limits/rate-limits.js';
import { FakeClock } from '#test/support/fake-clock.js';

/** Number of accepted messages among `asked`. */
const taken = (limit: InputRateLimit, asked: number) =>
  Array.from({ length: asked }, () => limit.take()).filter((isTaken) => isTaken).length;

it('lets a hundred in at once, then twenty a second, and counts the others', async () => {
  const clock = new FakeClock();
  const limit = new InputRateLimit(clock);
  expect(taken(limit, 150)).toBe(100);
  expect(limit.refused).toBe(50);
  await clock.advance(1_000);
  expect(taken(limit, 30)).toBe(20);
  await clock.advance(50);
  expect(taken(limit, 2)).toBe(1);
});

it('does not save up more than a hundred', async () => {
  const clock = new FakeClock();
  const limit = new InputRateLimit(clock);
  await clock.advance(3_600_000);
  expect(taken(limit, 1_000)).toBe(100);
});
