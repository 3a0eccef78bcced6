import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFramer } from '#media/pacing/framer.js';

it('cuts sound into the same frames however it comes in', () => {
  const chunkSizes = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 30 });
  fc.assert(
    fc.property(chunkSizes, fc.constantFrom(160, 320), (sizes, lengthSamples) => {
      const framer = createFramer(lengthSamples);
      const out: number[] = [];
      const take = (frame: Int16Array) => {
        expect(frame.length).toBe(lengthSamples);
        out.push(...frame);
      };
      let next = 0;
      for (const size of sizes)
        framer.push(
          Int16Array.from({ length: size }, () => next++),
          take,
        );
      expect(framer.waitingSamples).toBe(next % lengthSamples);
      framer.flush(take);
      framer.flush(take);
      expect(out.length).toBe(Math.ceil(next / lengthSamples) * lengthSamples);
      expect(out.every((sample, i) => sample === (i < next ? i : 0))).toBe(true);
    }),
  );
});

it('forgets what waits when it is cleared', () => {
  const framer = createFramer(4);
  const frames: number[][] = [];
  framer.push(Int16Array.of(1, 2, 3), () => {});
  framer.clear();
  framer.push(Int16Array.of(5, 6, 7, 8), (frame) => frames.push([...frame]));
  expect(frames).toEqual([[5, 6, 7, 8]]);
});
