/**
 * Cuts audio of any length into frames of one length, without allocation. It passes each whole frame on at once (unlike
 * `FrameQueue`, which keeps frames until they are taken). Used by `EndpointDetector`.
 */
export interface Framer {
  /** Passes every whole frame to `take`, in order. A frame is valid inside `take` only. */
  push(samples: Int16Array, take: (frame: Int16Array) => void): void;
  /** Passes the incomplete frame, padded with silence, to `take`; does nothing if there is none. */
  flush(take: (frame: Int16Array) => void): void;
  /** The number of samples in the incomplete frame. */
  readonly waitingSamples: number;
  /** Discards the incomplete frame. */
  clear(): void;
}

/** Creates the framer of one stream. @param lengthSamples length of every frame */
export function createFramer(lengthSamples: number): Framer {
  const frame = new Int16Array(lengthSamples);
  let filled = 0;
  return {
    push(samples, take) {
      // Most audio arrives in whole frames, which need no copy.
      if (filled === 0 && samples.length === lengthSamples) return take(samples);
      for (let at = 0; at < samples.length;) {
        // A plain loop: at frame sizes it is faster than `set(subarray())`, which allocates a view per piece.
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
