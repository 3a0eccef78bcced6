import { LRUCache } from 'lru-cache';
import type { Tts, SpeakRequest } from '#speech/tts.js';
import type { Urgency } from '#providers/builtin/threads/synthesis-queue.js';
import type { SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { FLITE_VOICES } from './flite-engine.js';
import { pauseAfterMs, splitSentences } from '#speech/sentences.js';

/** A minute of telephone speech takes 960 kB: enough for the greetings and fixed sentences of many agents. */
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;

/** The audio of one sentence; null if it was aborted before it was synthesised. */
type PendingAudio = Promise<Int16Array | null>;

/**
 * The built-in voice (port `Tts`): Flite on the threads of the pool. A text is spoken sentence by sentence; the next
 * sentence is synthesised while one plays. Sentences are cached. Opened by `openBuiltInSpeech`; calls use it if their
 * agent names no other voice, or the vendor of that voice fails.
 * @param options.cacheBytes the most memory for cached sentences
 */
export function createFliteTts(options: { pool: SpeechPool; cacheBytes?: number }): Tts {
  const cache = new LRUCache<string, Int16Array>({
    maxSize: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
    sizeCalculation: (samples, key) => samples.byteLength + key.length * 2 + 64,
  });

  /** The audio of one sentence, from the cache or a thread. Each caller gets its own copy. */
  const audioOf = async (request: SpeakRequest, text: string, urgency: Urgency): PendingAudio => {
    const { sampleRateHz, signal } = request;
    const voice = voiceNamed(request.voice);
    const key = `${voice} ${sampleRateHz} ${text}`;
    const cached = cache.get(key);
    if (cached) return cached.slice();
    const samples = await options.pool.synthesis.speak({ text, voice, sampleRateHz }, urgency, signal);
    if (samples && samples.length > 0) cache.set(key, samples.slice());
    return samples;
  };

  return {
    name: 'flite',
    isLocal: true,
    letters: 'plain',
    voices: FLITE_VOICES,
    async *speak(request) {
      // A consumer that stops reading without an abort must not leave a sentence in the queue: `finally` withdraws it.
      const abandoned = new AbortController();
      const signal = request.signal ? AbortSignal.any([request.signal, abandoned.signal]) : abandoned.signal;
      const synthesise = (sentence: string | undefined, urgency: Urgency) =>
        sentence === undefined
          ? null
          : withoutUnhandledRejection(audioOf({ ...request, signal }, sentence, urgency));
      const sentences = splitSentences(request.text);
      try {
        let next = synthesise(sentences[0], 'first');
        for (const [index, sentence] of sentences.entries()) {
          const samples = await next;
          if (!samples || signal.aborted) return;
          next = synthesise(sentences[index + 1], 'later');
          if (samples.length > 0) yield samples;
          if (signal.aborted) return;
          if (next) yield silence(pauseAfterMs(sentence), request.sampleRateHz);
        }
      } finally {
        abandoned.abort();
      }
    },
    /** Empties the cache. The threads belong to the pool's owner, who closes them. */
    async close() {
      cache.clear();
    },
  };
}

/** The voice of this name, or the default one. */
function voiceNamed(voice: string | null): string {
  return FLITE_VOICES.find((known) => known === voice) ?? FLITE_VOICES[0];
}

function silence(lengthMs: number, sampleRateHz: number): Int16Array {
  return new Int16Array((lengthMs * sampleRateHz) / 1000);
}

/** Prevents an unhandled rejection of audio made in advance; its failure is reported when it is awaited. */
function withoutUnhandledRejection(audio: PendingAudio): PendingAudio {
  audio.catch(() => {});
  return audio;
}
