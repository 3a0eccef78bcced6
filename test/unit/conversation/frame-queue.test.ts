import { expect, it } from 'vitest';
import { FrameQueue } from '#conversation/line/frame-queue.js';

const FRAME = 160;
const TEN_SECONDS = 500 * FRAME;

/** The first samples of all frames that wait. */
function taken(queue: FrameQueue): number[] {
  const frame = new Int16Array(FRAME);
  const heads: number[] = [];
  while (queue.take(frame)) heads.push(frame[0]!);
  return heads;
}

/** A file whose frames begin with their number. */
const file = (frames: number) =>
  new Int16Array(frames * FRAME).map((_, sample) => (sample % FRAME === 0 ? sample / FRAME : 0));

it('keeps the first ten seconds of a longer file that comes in one message', () => {
  const queue = new FrameQueue(FRAME, 20);
  expect(queue.push(file(600))).toBe(100 * FRAME);
  expect(taken(queue)).toEqual(Array.from({ length: 500 }, (_, number) => number));
});

it('keeps what there is room for of a piece, and has room again when frames were taken', () => {
  const queue = new FrameQueue(FRAME, 20);
  expect(queue.push(new Int16Array(TEN_SECONDS - 10))).toBe(0);
  expect(queue.push(new Int16Array(FRAME))).toBe(FRAME - 10);
  expect(queue.push(new Int16Array(FRAME))).toBe(FRAME);
  expect(taken(queue)).toHaveLength(500);
  expect(queue.push(file(3))).toBe(0);
  expect(taken(queue)).toEqual([0, 1, 2]);
});
