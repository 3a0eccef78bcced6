import { describe, expect, it } from 'vitest';
import { Rounds } from '../../../src/kernel/work/rounds.js';
import { FakeClock } from '../../support/fake-clock.js';

const EVERY_MS = 1_000;

/** Rounds that last until the test ends them. */
function openRounds() {
  const clock = new FakeClock();
  const ends: (() => void)[] = [];
  const rounds = new Rounds(clock, {
    everyMs: EVERY_MS,
    round: () => new Promise((resolve) => ends.push(resolve)),
  });
  return { clock, rounds, ends };
}

describe('Rounds', () => {
  it('begin one pause after the start, and again one pause after the end of the round before', async () => {
    const { clock, rounds, ends } = openRounds();
    rounds.start();

    await clock.advance(EVERY_MS - 1);
    expect(ends).toHaveLength(0);
    await clock.advance(1);
    expect(ends).toHaveLength(1);
    await clock.advance(10 * EVERY_MS);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await clock.advance(EVERY_MS);
    expect(ends).toHaveLength(2);
  });

  it('are stopped when the round in hand is done, and no further one begins', async () => {
    const { clock, rounds, ends } = openRounds();
    rounds.start();
    await clock.advance(EVERY_MS);
    let isStopped = false;
    const stopped = rounds.stop().then(() => (isStopped = true));

    await clock.advance(EVERY_MS);
    expect(isStopped).toBe(false);
    ends[0]!();
    await stopped;
    expect(clock.armed).toBe(0);
  });

  it('never begin when they were halted before the start', () => {
    const { clock, rounds } = openRounds();
    rounds.halt();
    rounds.start();

    expect(rounds.isHalted).toBe(true);
    expect(clock.armed).toBe(0);
  });
});
