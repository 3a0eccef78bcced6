import type { SpeakRequest, Tts } from '#speech/tts.js';

/** The length of the tone per character. */
const TONE_MS_PER_CHARACTER = 50;
const PIECE_MS = 100;
const TONE_HZ = 440;
/** −18 dBFS RMS as a sine's peak, the loudness of the real voices. */
const TONE_PEAK = 5834;

/** A voice that hums a tone in proportion to the text, at once. */
export interface ScriptedTts extends Tts {
  /** Every request, in order. */
  readonly requests: readonly SpeakRequest[];
  /** Makes the next request fail with this error after its first chunk. */
  failNext(error: Error): void;
}

/** The length of the tone for a text, in milliseconds. */
export function toneMs(text: string): number {
  return text.trim().length * TONE_MS_PER_CHARACTER;
}

export function createScriptedTts(): ScriptedTts {
  const requests: SpeakRequest[] = [];
  const failures: Error[] = [];
  return {
    name: 'scripted',
    voices: ['slt', 'rms', 'awb', 'kal16'],
    requests,
    failNext: (error) => void failures.push(error),
    async *speak(request) {
      requests.push(request);
      const failure = failures.shift();
      const totalSamples = (toneMs(request.text) * request.sampleRateHz) / 1000;
      const pieceSamples = (PIECE_MS * request.sampleRateHz) / 1000;
      for (let from = 0; from < totalSamples; from += pieceSamples) {
        if (request.signal?.aborted) return;
        yield tone(from, Math.min(pieceSamples, totalSamples - from), request.sampleRateHz);
        if (failure) throw failure;
      }
    },
    async close() {},
  };
}

function tone(from: number, length: number, sampleRateHz: number): Int16Array {
  return Int16Array.from({ length }, (_, index) =>
    Math.round(TONE_PEAK * Math.cos((2 * Math.PI * TONE_HZ * (from + index)) / sampleRateHz)),
  );
}
