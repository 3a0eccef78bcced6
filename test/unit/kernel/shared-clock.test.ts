import { describe, expect, it } from 'vitest';
import { SharedClock } from '#kernel/time/shared-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';

const START = Date.UTC(2027, 0, 4, 9);

/** A clock that answers `aheadMs` more than the machine's, after `thereMs`, and `backMs` later it is known. */
function answering(machine: FakeClock, aheadMs: number, { thereMs = 0, backMs = 0 } = {}) {
  return async () => {
    machine.stall(thereMs);
    const answer = machine.wallMs() + aheadMs;
    machine.stall(backMs);
    return answer;
  };
}

describe('a shared clock', () => {
  it('is the clock of the machine until it follows another', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await machine.advance(1_500);
    expect([clock.wallMs(), clock.monotonicMs(), clock.aheadMs]).toEqual([START + 1_500, 1_500, 0]);
  });

  it.each([3_600_000, -3_600_000])('follows a clock that is %d ms ahead', async (aheadMs) => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await clock.synchronise(answering(machine, aheadMs));
    expect(clock.wallMs()).toBe(START + aheadMs);
    await machine.advance(60_000);
    expect(clock.wallMs()).toBe(START + aheadMs + 60_000);
  });

  it('assumes that a reading was taken halfway through the round trip', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await clock.synchronise(answering(machine, 60_000, { thereMs: 200, backMs: 200 }));
    expect(clock.aheadMs).toBe(60_000);
    expect(Number.isInteger(clock.wallMs())).toBe(true);
  });

  it('does not move when the round trip explains the difference', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await clock.synchronise(answering(machine, 60_000));
    for (const way of [{ thereMs: 900 }, { backMs: 900 }, { thereMs: 300, backMs: 600 }])
      await clock.synchronise(answering(machine, 60_000, way));
    expect(clock.aheadMs).toBe(60_000);
  });

  it('is corrected after the clock of the machine was set', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await clock.synchronise(answering(machine, 60_000));
    machine.setWall(START - 5_000_000);
    await clock.synchronise(answering(machine, 5_060_000));
    expect(clock.wallMs()).toBe(START + 60_000);
  });

  it('stays unchanged when the other clock does not answer', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    await clock.synchronise(answering(machine, 60_000));
    await expect(clock.synchronise(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(clock.aheadMs).toBe(60_000);
  });

  it('uses the timers of the machine, and cancels them', async () => {
    const machine = new FakeClock(START);
    const clock = new SharedClock(machine);
    const ran: string[] = [];
    clock.after(10, () => ran.push('kept'));
    clock.after(10, () => ran.push('called off'))();
    await machine.advance(10);
    expect(ran).toEqual(['kept']);
  });
});
