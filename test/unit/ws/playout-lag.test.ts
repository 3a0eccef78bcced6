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

it('is known of a peer that is several seconds behind, and has several marks', async () => {
  const clock = new FakeClock();
  const lag = new PlayoutLag(clock);
  const sent: string[] = [];
  for (let second = 0; second < 4; second += 1) {
    sent.push(...frames(lag, 50));
    await clock.advance(1_000);
    if (second >= 2) lag.reached(sent[second - 2]!);
  }
  expect(lag.lagMs).toBe(3_000);
  lag.reached(sent[3]!);
  expect(lag.lagMs).toBe(1_000);
  lag.reached(sent[2]!);
  expect(lag.lagMs).toBe(1_000);
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

it('is no more than was sent since a clear, after which it is soon asked for again', async () => {
  const clock = new FakeClock();
  const lag = new PlayoutLag(clock);
  const [before] = frames(lag, 40);
  await clock.advance(700);
  lag.reached(before!);
  expect(lag.lagMs).toBe(700);
  lag.cleared();
  expect(lag.lagMs).toBe(0);
  const [after] = frames(lag, 10);
  expect(lag.lagMs).toBe(200);
  await clock.advance(90);
  lag.reached(after!);
  frames(lag, 30);
  expect(lag.lagMs).toBe(90);
});
