import { LRUCache } from 'lru-cache';
import type { SpeakRequest, SpokenWord, Tts } from '#speech/tts.js';

/** Half an hour of telephone speech: greetings and fixed sentences of many agents find room. */
const DEFAULT_BYTES = 32 * 1024 * 1024;
const PIECE_MS = 200;

interface KeptSentence {
  samples: Int16Array;
  words: readonly SpokenWord[];
}

/** The sentences that vendors have spoken in this process: what is said often is paid for, and waited for, once. */
export class KeptSentences {
  readonly #kept: LRUCache<string, KeptSentence>;

  constructor(maxBytes = DEFAULT_BYTES) {
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ samples, words }, key) =>
        samples.byteLength + key.length * 2 + words.length * 64 + 64,
    });
  }

  /**
   * A voice that speaks a sentence from here where it is kept, and keeps what it speaks to the end.
   * @param account what tells this voice from others of the same name
   */
  in(account: string, tts: Tts): Tts {
    const kept = this.#kept;
    return {
      ...tts,
      async *speak(request) {
        if (request.signal?.aborted) return;
        const key = keyOf(account, request);
        const known = kept.get(key);
        if (known) {
          request.onWords?.(known.words);
          // A greeting leaves time to open the connection for what follows it.
          tts.prepare?.(request);
          yield* piecesOf(known.samples, request);
          return;
        }
        const pieces: Int16Array[] = [];
        let words: readonly SpokenWord[] = [];
        const onWords = (told: readonly SpokenWord[]) => {
          words = told;
          request.onWords?.(told);
        };
        for await (const piece of tts.speak({ ...request, onWords })) {
          pieces.push(piece.slice());
          yield piece;
        }
        // An aborted sentence ends early, without an error.
        if (pieces.length > 0 && !request.signal?.aborted) kept.set(key, { samples: joined(pieces), words });
      },
      charactersOf: (request) => (kept.has(keyOf(account, request)) ? 0 : request.text.length),
    };
  }
}

/** What is kept is given in pieces, too: whoever aborts does not get the rest. */
function* piecesOf(samples: Int16Array, { sampleRateHz, signal }: SpeakRequest): Generator<Int16Array> {
  const length = (sampleRateHz * PIECE_MS) / 1000;
  for (let from = 0; from < samples.length; from += length) {
    if (signal?.aborted) return;
    yield samples.slice(from, from + length);
  }
}

function keyOf(account: string, { text, voice, language, sampleRateHz, settings }: SpeakRequest): string {
  return JSON.stringify([account, voice, language, sampleRateHz, settings ?? {}, text]);
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
