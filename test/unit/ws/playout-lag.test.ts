import { expect, it } from 'vitest';
import { PlayoutLag } from '../../../src/ws/playout-lag.js';
import { FakeClock } from '../../support/fake-clock.js';

function frames(lag: PlayoutLag, count: number): string[] {
  return Array.from({ length: count }, () => lag.nextMark()).filter((mark) => mark !== null);
}

it('is the time a mark takes to come back', async () => {
  const clock = new FakeClock();
  const lag = new PlayoutLag(clock);
  const [mark] = frames(lag, 10);
  await clock.advance(140);
  expect(lag.lagMs).toBe(0);
  lag.reached(mark!);
  expect(lag.lagMs).toBe(140);
});

it('is asked for once a second', () => {
  const lag = new PlayoutLag(new FakeClock());
  expect(frames(lag, 500)).toHaveLength(10);
});

it('is not taken from marks that a clear has given back, nor from strange ones', async () => {
  const clock = new FakeClock();
  const lag = new PlayoutLag(clock);
  const [mark] = frames(lag, 10);
  lag.reached('something else');
  lag.cleared();
  await clock.advance(5);
  lag.reached(mark!);
  expect(lag.lagMs).toBe(0);
});
