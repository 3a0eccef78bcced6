/** Memory for samples that only live until the next message: grown when it must be, otherwise used again. */
export interface SampleScratch {
  /** Room for `count` samples, as a view that is the same object while the count stays the same. */
  take(count: number): Int16Array;
}

export function createSampleScratch(usualSamples: number): SampleScratch {
  let memory = new Int16Array(usualSamples);
  let view = memory;
  return {
    take(count) {
      if (view.length === count) return view;
      if (memory.length < count) memory = new Int16Array(count);
      view = memory.subarray(0, count);
      return view;
    },
  };
}
