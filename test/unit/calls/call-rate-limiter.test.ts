import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallRateLimiter } from '#calls/lines/call-rate-limiter.js';
import { FakeClock } from '#test/support/fake-clock.js';

describe('the pace of dialling', () => {
  it('never lets more calls go out in any second than the carrier allows, and a short burst', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 50 })), {
          maxLength: 60,
        }),
        async (callsPerSecond, steps) => {
          const clock = new FakeClock();
          const rateLimiter = new CallRateLimiter(callsPerSecond, clock);
          const burst = Math.max(1, callsPerSecond * 0.1);
          const started: number[] = [];
          for (const [waitMs, wanted] of steps) {
            await clock.advance(waitMs);
            const count = Math.min(wanted, rateLimiter.available);
            rateLimiter.spend(count);
            for (let i = 0; i < count; i++) started.push(clock.monotonicMs());
          }
          for (const at of started) {
            const inOneSecond = started.filter((other) => other >= at && other < at + 1_000).length;
            expect(inOneSecond).toBeLessThanOrEqual(Math.ceil(callsPerSecond + burst));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says how long to wait, and then there is one', async () => {
    const clock = new FakeClock();
    const rateLimiter = new CallRateLimiter(4, clock);
    expect([rateLimiter.available, rateLimiter.waitMs]).toEqual([1, 0]);
    rateLimiter.spend(1);
    expect([rateLimiter.available, rateLimiter.waitMs]).toEqual([0, 250]);
    await clock.advance(249);
    expect(rateLimiter.available).toBe(0);
    await clock.advance(1);
    expect(rateLimiter.available).toBe(1);
  });

  it('rests when the carrier says so', async () => {
    const clock = new FakeClock();
    const rateLimiter = new CallRateLimiter(100, clock);
    rateLimiter.pause(2_000);
    expect([rateLimiter.available, rateLimiter.waitMs]).toEqual([0, 2_000]);
    await clock.advance(2_000);
    expect(rateLimiter.available).toBe(1);
  });

  it('is shared by processes, and whole again for one', async () => {
    const clock = new FakeClock();
    const rateLimiter = new CallRateLimiter(100, clock);
    rateLimiter.shareAmong(4);
    expect(rateLimiter.available).toBe(2);
    rateLimiter.spend(2);
    expect(rateLimiter.waitMs).toBe(20);
    rateLimiter.shareAmong(1);
    expect(rateLimiter.waitMs).toBe(5);
  });

  it('rests no shorter when the carrier says so once more', () => {
    const rateLimiter = new CallRateLimiter(100, new FakeClock());
    rateLimiter.pause(2_000);
    rateLimiter.pause(500);
    expect(rateLimiter.waitMs).toBe(2_000);
  });

  it('has back what was not needed, but for what a carrier that wants to rest takes', () => {
    const rateLimiter = new CallRateLimiter(100, new FakeClock());
    rateLimiter.spend(10);
    rateLimiter.giveBack(7);
    expect(rateLimiter.available).toBe(7);
    rateLimiter.giveBack(7);
    expect(rateLimiter.available).toBe(10);
    rateLimiter.spend(10);
    rateLimiter.pause(50);
    rateLimiter.giveBack(10);
    expect([rateLimiter.available, rateLimiter.waitMs]).toEqual([0, 50]);
  });

  it('is not moved by a wall clock that jumps', async () => {
    const clock = new FakeClock();
    const rateLimiter = new CallRateLimiter(1, clock);
    rateLimiter.spend(1);
    clock.setWall(clock.wallMs() + 86_400_000);
    expect(rateLimiter.available).toBe(0);
    clock.setWall(clock.wallMs() - 172_800_000);
    await clock.advance(1_000);
    expect(rateLimiter.available).toBe(1);
  });
});
