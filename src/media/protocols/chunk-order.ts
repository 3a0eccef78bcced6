/** A missing chunk is awaited until this many later chunks have arrived: 80 ms of audio in chunks of 20 ms. */
const MOST_HELD = 4;
/** A number below the expected one by more than this (a second of audio) is no late chunk: the numbering restarted. */
const RESTART_DISTANCE = 50;
const NOTHING = new Int16Array(0);

/** Puts numbered chunks of audio back into order, for a carrier whose messages may arrive out of order (Telnyx). */
export interface ChunkOrder {
  /**
   * Takes the next chunk to arrive and returns all audio that is now in order: usually the chunk itself, or several
   * chunks joined. Null while an earlier chunk is awaited, and for a dropped chunk: one that was repeated, or that
   * arrives after its wait has ended. The result may be `samples` itself, so it is valid only as long as those are.
   */
  take(chunk: number, samples: Int16Array): Int16Array | null;
}

/** Creates the {@link ChunkOrder} of one media stream. */
export function createChunkOrder(): ChunkOrder {
  /** Held audio by chunk number, in order. Empty unless a chunk is missing, which is rare. */
  let heldChunks: { chunk: number; samples: Int16Array }[] = [];
  /** Number of the next chunk to release; NaN before the first. */
  let next = Number.NaN;

  /** The number of held chunks that follow without a gap. */
  const countFollowing = (): number => {
    let count = 0;
    while (heldChunks[count]?.chunk === next + count) count++;
    return count;
  };

  /** Removes the first `count` held chunks; returns `first`, followed by their audio. */
  const release = (first: Int16Array, count: number): Int16Array => {
    if (count === 0) return first;
    const ready = heldChunks.splice(0, count);
    next = ready.at(-1)!.chunk + 1;
    return join([first, ...ready.map(({ samples }) => samples)]);
  };

  return {
    take(chunk, samples) {
      // Chunks without a valid number pass in order of arrival.
      if (!Number.isSafeInteger(chunk)) return samples;
      // The expected chunk, and the first one of a numbering, are released at once with the held chunks that follow.
      const isFirst = Number.isNaN(next);
      if (isFirst || chunk === next || chunk < next - RESTART_DISTANCE) {
        // After a restart, held chunks belong to the former numbering.
        if (chunk !== next) heldChunks = [];
        next = chunk + 1;
        return release(samples, countFollowing());
      }
      if (chunk < next || heldChunks.some((other) => other.chunk === chunk)) return null;
      // A copy: the caller reuses the buffer of its samples.
      heldChunks.push({ chunk, samples: samples.slice() });
      heldChunks.sort((a, b) => a.chunk - b.chunk);
      // At the limit, the wait ends: the held chunks are joined across their gaps.
      return heldChunks.length < MOST_HELD ? null : release(NOTHING, heldChunks.length);
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
