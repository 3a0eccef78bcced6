import { expect, it } from 'vitest';
import { TokenBucket } from '#kernel/work/token-bucket.js';
import { FakeClock } from '#test/support/fake-clock.js';

it('is full at first, fills as time passes, and never beyond its size', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 4, size: 2 }, clock);
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false]);
  expect([bucket.left, bucket.msUntil(1)]).toEqual([0, 250]);
  await clock.advance(125);
  expect([bucket.left, bucket.take()]).toEqual([0.5, false]);
  await clock.advance(125);
  expect(bucket.take()).toBe(true);
  await clock.advance(3_600_000);
  expect([bucket.left, bucket.msUntil(2)]).toEqual([2, 0]);
});

it('can be overspent, and recovers with time', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 10, size: 5 }, clock);
  expect(bucket.spend(7)).toBe(-2);
  expect([bucket.left, bucket.msUntil(0), bucket.msUntil(1)]).toEqual([-2, 200, 300]);
  await clock.advance(300);
  expect(bucket.take()).toBe(true);
});

it('can be paused, and a shorter second pause does not end the first', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 10, size: 5 }, clock);
  bucket.pause(2_000);
  bucket.pause(500);
  expect([bucket.take(), bucket.msUntil(1)]).toEqual([false, 2_000]);
  await clock.advance(2_000);
  expect(bucket.take()).toBe(true);
});

it('is cut to a smaller size', () => {
  const bucket = new TokenBucket({ perSecond: 10, size: 5 }, new FakeClock());
  bucket.setTerms({ perSecond: 10, size: 2 });
  expect([bucket.spend(2), bucket.take()]).toEqual([0, false]);
});

it.each([2, 50])(
  'rests as long as it was to, also when it is filled by other terms meanwhile (%i)',
  async (perSecond) => {
    const clock = new FakeClock();
    const bucket = new TokenBucket({ perSecond: 10, size: 5 }, clock);
    bucket.pause(2_000);
    await clock.advance(500);
    bucket.setTerms({ perSecond, size: 5 });
    expect(bucket.msUntil(1)).toBeCloseTo(1_500);
    await clock.advance(1_500);
    expect(bucket.take()).toBe(true);
  },
);

it('takes no tokens back during a pause, also after a shorter second one', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 10, size: 5 }, clock);
  bucket.spend(5);
  bucket.pause(2_000);
  bucket.pause(500);
  await clock.advance(1_000);
  bucket.giveBack(5);
  expect(bucket.msUntil(1)).toBe(1_000);
});

it('does not depend on jumps of the wall clock', async () => {
  const clock = new FakeClock();
  const bucket = new TokenBucket({ perSecond: 1, size: 1 }, clock);
  bucket.spend(1);
  clock.setWall(clock.wallMs() + 86_400_000);
  expect(bucket.take()).toBe(false);
});
