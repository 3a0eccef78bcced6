/** Cuts sound that comes in pieces of any length into frames of one length, without allocating. */
export interface Framer {
  /** Hands every whole frame to `take`, in order. The frame is only valid inside `take`. */
  push(samples: Int16Array, take: (frame: Int16Array) => void): void;
  /** Hands over what is left, filled up with silence; nothing when nothing is left. */
  flush(take: (frame: Int16Array) => void): void;
  /** Samples waiting for their frame to be whole. */
  readonly waitingSamples: number;
  /** Throws away what waits. */
  clear(): void;
}

/** A framer for frames of `lengthSamples`. */
export function createFramer(lengthSamples: number): Framer {
  const frame = new Int16Array(lengthSamples);
  let filled = 0;
  return {
    push(samples, take) {
      // Nearly all sound comes in whole frames, which need no copy.
      if (filled === 0 && samples.length === lengthSamples) return take(samples);
      for (let at = 0; at < samples.length;) {
        // A plain loop: at frame sizes it beats `set(subarray())`, which would make a view for every piece.
        const from = filled;
        const count = Math.min(samples.length - at, lengthSamples - from);
        for (let i = 0; i < count; i++) frame[from + i] = samples[at + i]!;
        at += count;
        filled = from + count;
        if (filled < lengthSamples) return;
        filled = 0;
        take(frame);
      }
    },
    flush(take) {
      if (filled === 0) return;
      frame.fill(0, filled);
      filled = 0;
      take(frame);
    },
    get waitingSamples() {
      return filled;
    },
    clear() {
      filled = 0;
    },
  };
}
