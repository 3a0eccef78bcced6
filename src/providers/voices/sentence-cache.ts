import { LRUCache } from 'lru-cache';
import type { SpeakRequest, SpokenWord, Tts } from '#speech/tts.js';

/** Half an hour of speech at 8 kHz: enough for the greetings and fixed sentences of many agents. */
const DEFAULT_BYTES = 32 * 1024 * 1024;
/** The length of the chunks in which cached audio is returned. */
const CHUNK_MS = 200;

/** The whole audio of a sentence, and its words with their end times in the audio. */
interface CachedSentence {
  samples: Int16Array;
  words: readonly SpokenWord[];
}

/**
 * A cache of the sentences that vendors have spoken in this process. When it is full, the least recently used sentence
 * is dropped. A repeated sentence, such as a greeting, costs neither money nor waiting. Used by `Voices`.
 */
export class SentenceCache {
  readonly #sentences: LRUCache<string, CachedSentence>;

  /** @param maxBytes the most memory for audio */
  constructor(maxBytes = DEFAULT_BYTES) {
    this.#sentences = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ samples, words }, key) =>
        samples.byteLength + key.length * 2 + words.length * 64 + 64,
    });
  }

  /**
   * Wraps a voice: its sentences come from the cache if they are there, and are cached once spoken to their end.
   * @param account the account of the voice (see `VoiceWire`), which is part of the cache key
   */
  wrap(account: string, tts: Tts): Tts {
    const cache = this.#sentences;
    return {
      ...tts,
      async *speak(request) {
        if (request.signal?.aborted) return;
        const key = keyOf(account, request);
        const cached = cache.get(key);
        if (cached) {
          request.onWords?.(cached.words);
          // A cached greeting leaves time to open the connection for the next sentence.
          tts.prepare?.(request);
          yield* chunksOf(cached.samples, request);
          return;
        }
        const pieces: Int16Array[] = [];
        let words: readonly SpokenWord[] = [];
        const onWords = (reported: readonly SpokenWord[]) => {
          words = reported;
          request.onWords?.(reported);
        };
        for await (const piece of tts.speak({ ...request, onWords })) {
          pieces.push(piece.slice());
          yield piece;
        }
        // An aborted sentence ends early without an error and must not be cached.
        if (pieces.length > 0 && !request.signal?.aborted) cache.set(key, { samples: joined(pieces), words });
      },
      // A cached sentence costs no characters at the vendor.
      charactersOf: (request) => (cache.has(keyOf(account, request)) ? 0 : request.text.length),
    };
  }
}

/** Returns cached audio in chunks, like a vendor's, so that an abort takes effect between them. */
function* chunksOf(samples: Int16Array, { sampleRateHz, signal }: SpeakRequest): Generator<Int16Array> {
  const chunkSamples = (sampleRateHz * CHUNK_MS) / 1000;
  for (let from = 0; from < samples.length; from += chunkSamples) {
    if (signal?.aborted) return;
    yield samples.slice(from, from + chunkSamples);
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
