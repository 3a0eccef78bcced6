/** A missing chunk is waited for until this many later ones have come: 80 ms of sound in chunks of 20. */
const MOST_HELD = 4;
/** A number this far back is no latecomer but a new count. One second. */
const NEW_COUNT = 50;
const NOTHING = new Int16Array(0);

/** Puts numbered chunks of sound, which may overtake each other by a little, back into order. */
export interface ChunkOrder {
  /**
   * Takes the next chunk to arrive and answers all that can be heard now: mostly the chunk itself, nothing (null) while
   * an earlier one is waited for, else several in one. What comes after its turn was given up is left out. The answer
   * is only valid until the next call.
   */
  take(chunk: number, samples: Int16Array): Int16Array | null;
}

export function createChunkOrder(): ChunkOrder {
  /** Held sound by the number of its chunk, in order. Empty unless something is missing, which is rare. */
  let held: { chunk: number; samples: Int16Array }[] = [];
  let next = Number.NaN;

  /** How many of those held follow at once. */
  const followers = (): number => {
    let count = 0;
    while (held[count]?.chunk === next + count) count++;
    return count;
  };

  /** `first`, and the first `count` of those held behind it. */
  const release = (first: Int16Array, count: number): Int16Array => {
    if (count === 0) return first;
    const ready = held.splice(0, count);
    next = ready.at(-1)!.chunk + 1;
    return join([first, ...ready.map(({ samples }) => samples)]);
  };

  return {
    take(chunk, samples) {
      if (!Number.isSafeInteger(chunk)) return samples;
      const isFirst = Number.isNaN(next);
      if (isFirst || chunk === next || chunk < next - NEW_COUNT) {
        if (chunk !== next) held = [];
        next = chunk + 1;
        return release(samples, followers());
      }
      if (chunk < next || held.some((other) => other.chunk === chunk)) return null;
      held.push({ chunk, samples: samples.slice() });
      held.sort((a, b) => a.chunk - b.chunk);
      return held.length < MOST_HELD ? null : release(NOTHING, held.length);
    },
  };
}

function join(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((count, piece) => count + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
