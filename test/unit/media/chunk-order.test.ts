import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createChunkOrder } from '#media/protocols/chunk-order.js';

/** What is heard after each chunk, when the sound of a chunk is its own number. */
function hear(...chunks: number[]): (number[] | null)[] {
  const order = createChunkOrder();
  const memory = new Int16Array(1);
  return chunks.map((chunk) => {
    // As a protocol does it: all sound comes in the same memory.
    memory[0] = chunk;
    const samples = order.take(chunk, memory);
    return samples && [...samples];
  });
}

describe('the order of chunks', () => {
  it('is kept as it is, wherever it begins', () => {
    expect(hear(7, 8, 9)).toEqual([[7], [8], [9]]);
  });

  it('is put right when one overtakes another', () => {
    expect(hear(1, 3, 2, 4)).toEqual([[1], null, [2, 3], [4]]);
    expect(hear(1, 4, 3, 2, 5)).toEqual([[1], null, null, [2, 3, 4], [5]]);
    expect(hear(1, 3, 5, 2, 4)).toEqual([[1], null, null, [2, 3], [4, 5]]);
  });

  it('is not waited for longer than four chunks, and what then comes is left out', () => {
    expect(hear(1, 3, 4, 5, 6, 2, 7)).toEqual([[1], null, null, null, [3, 4, 5, 6], null, [7]]);
  });

  it('leaves out what comes twice', () => {
    expect(hear(1, 1, 3, 3, 2, 3)).toEqual([[1], null, null, null, [2, 3], null]);
    expect(hear(1, 3, 3, 2, 4, 6, 5)).toEqual([[1], null, null, [2, 3], [4], null, [5, 6]]);
  });

  it('starts anew when the count does', () => {
    expect(hear(100, 1, 2)).toEqual([[100], [1], [2]]);
    expect(hear(100, 51, 50, 49)).toEqual([[100], null, [50], null]);
  });

  it('takes what has no number as it comes', () => {
    const order = createChunkOrder();
    for (const chunk of [5, NaN, 1.5, Infinity])
      expect(order.take(chunk, Int16Array.of(1))).toEqual(Int16Array.of(1));
    expect(order.take(6, Int16Array.of(2))).toEqual(Int16Array.of(2));
  });

  it('loses and repeats nothing while no chunk is overtaken by more than three', () => {
    const count = 60;
    // Sorting by number plus a delay below four lets a chunk be overtaken by at most three.
    const delays = fc.array(fc.double({ min: 0, max: 3.99, noNaN: true }), {
      minLength: count,
      maxLength: count,
    });
    fc.assert(
      fc.property(delays, (late) => {
        const arrival = late
          .map((delay, i) => ({ chunk: i + 1, at: i + delay }))
          .sort((a, b) => a.at - b.at)
          .map(({ chunk }) => chunk);
        const ordered = arrival.toSorted((a, b) => a - b);
        const got = hear(0, ...arrival).flatMap((heard) => heard ?? []);
        expect(got).toEqual([0, ...ordered]);
      }),
    );
  });
});
