import { expect, it } from 'vitest';
import { PlayoutLag } from '#ws/messages/playout-lag.js';
import { FakeClock } from '#test/support/fake-clock.js';

function open() {
  const clock = new FakeClock();
  const lag = new PlayoutLag(clock);
  const marks: string[] = [];
  /** Sends frames at their pace, in pieces. */
  async function send(frames: number, inPiecesOf = 1): Promise<void> {
    for (let sent = 0; sent < frames; sent += inPiecesOf) {
      if (sent > 0) await clock.advance(20 * inPiecesOf);
      const mark = lag.nextMark(inPiecesOf, 0);
      if (mark !== null) marks.push(mark);
    }
  }
  return { clock, lag, marks, send };
}

it('is the time a mark takes to come back', async () => {
  const { clock, lag, marks, send } = open();
  await send(5);
  await clock.advance(140);
  expect(lag.lagMs).toBe(0);
  lag.reached(marks[0]!);
  expect(lag.lagMs).toBe(140);
});

it('does not count audio sent ahead of its time', async () => {
  const { clock, lag } = open();
  const mark = lag.nextMark(5, 60);
  // The last of the five frames is to be played from here on.
  await clock.advance(60 + 80);
  lag.reached(mark!);
  expect(lag.lagMs).toBe(0);
  const next = Array.from({ length: 10 }, () => lag.nextMark(5, 60)).find((name) => name !== null);
  await clock.advance(60 + 80 + 30);
  lag.reached(next!);
  expect(lag.lagMs).toBe(30);
});

it('is known of a peer that is several seconds behind, and has several marks', async () => {
  const { clock, lag, marks, send } = open();
  for (let second = 0; second < 4; second += 1) {
    await send(50);
    await clock.advance(20);
    if (second >= 2) lag.reached(marks[second - 2]!);
  }
  // The mark was sent with the fifth frame of the second second.
  expect(lag.lagMs).toBe(3_000 - 80);
  lag.reached(marks[3]!);
  expect(lag.lagMs).toBe(1_000 - 80);
  lag.reached(marks[2]!);
  expect(lag.lagMs).toBe(1_000 - 80);
});

it('is asked for once a second, however much is sent together', async () => {
  for (const inPiecesOf of [1, 5]) {
    const { marks, send } = open();
    await send(500, inPiecesOf);
    expect(marks).toHaveLength(10);
  }
});

it('is not taken from marks that a clear has given back, nor from strange ones', async () => {
  const { clock, lag, marks, send } = open();
  await send(10);
  lag.reached('something else');
  lag.cleared();
  await clock.advance(5);
  lag.reached(marks[0]!);
  expect(lag.lagMs).toBe(0);
});

it('is no more than was sent since a clear, after which it is soon asked for again', async () => {
  const { clock, lag, marks, send } = open();
  await send(40);
  lag.reached(marks[0]!);
  expect(lag.lagMs).toBe(700);
  lag.cleared();
  expect(lag.lagMs).toBe(0);
  await send(10);
  expect(lag.lagMs).toBe(200);
  await clock.advance(10);
  lag.reached(marks[1]!);
  await send(30);
  expect(lag.lagMs).toBe(110);
});

it('is asked for again when the agent begins to speak after a silence', async () => {
  const { clock, lag, marks, send } = open();
  await send(5, 5);
  await clock.advance(100 + 600);
  lag.reached(marks[0]!);
  expect(lag.lagMs).toBe(620);
  // Nothing was sent meanwhile, so the peer has caught up.
  await clock.advance(10_000);
  await send(5, 5);
  expect(marks).toHaveLength(2);
  await clock.advance(100);
  lag.reached(marks[1]!);
  expect(lag.lagMs).toBe(20);
});

it('grows while a peer stops acknowledging: unacknowledged audio was not heard', async () => {
  const { clock, lag, marks, send } = open();
  await send(60);
  await clock.advance(100);
  lag.reached(marks[0]!);
  lag.reached(marks[1]!);
  expect(lag.lagMs).toBe(200);
  await send(45);
  await clock.advance(150);
  // The mark after the last frame is not late yet.
  expect(lag.lagMs).toBe(200);
  await clock.advance(2_850);
  expect(lag.lagMs).toBe(3_000);
  await clock.advance(100);
  lag.reached(marks[2]!);
  expect(lag.lagMs).toBe(3_100);
});

it('does not grow where marks never come back, nor with those that a clear has thrown away', async () => {
  const never = open();
  await never.send(200);
  await never.clock.advance(5_000);
  expect(never.lag.lagMs).toBe(0);

  const { clock, lag, marks, send } = open();
  await send(55);
  lag.reached(marks[0]!);
  await clock.advance(5_000);
  lag.cleared();
  await clock.advance(5_000);
  expect(lag.lagMs).toBe(0);
});

it('is the usual one of a peer that has given up answering: what was due is played all the same', async () => {
  const { clock, lag, marks, send } = open();
  await send(5);
  await clock.advance(200);
  lag.reached(marks[0]!);
  expect(lag.lagMs).toBe(200);
  await send(255);
  // The first of the marks that never come back is five seconds later than the usual.
  expect(lag.lagMs).toBe(4_100);
  await send(55);
  expect(lag.lagMs).toBe(5_200 - 20);
  await clock.advance(40);
  expect(lag.lagMs).toBe(200);
  await send(500);
  expect(lag.lagMs).toBe(200);
});

it('is measured again when such a peer answers again, and nothing of a clear counts as played', async () => {
  const { clock, lag, marks, send } = open();
  await send(5);
  await clock.advance(200);
  lag.reached(marks[0]!);
  await send(500);
  expect(lag.lagMs).toBe(200);
  lag.reached(marks.at(-1)!);
  const answeredMs = lag.lagMs;
  await send(60);
  await clock.advance(1_000);
  expect(lag.lagMs).toBeGreaterThan(answeredMs);
  lag.cleared();
  expect(lag.lagMs).toBe(0);
});
