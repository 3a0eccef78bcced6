import { encodeUlaw } from '#media/samples/g711.js';

/** The length of an emulated voice's hum per character; every part of the hum is distinct. */
export const TONE_MS_PER_CHARACTER = 60;
const TONE_HZ = 440;
/** −18 dBFS RMS as a sine's peak. */
const TONE_PEAK = 5_834;

/** The length of an emulated voice's hum for a text. */
export function hummedMs(text: string): number {
  return text.trim().length * TONE_MS_PER_CHARACTER;
}

/** The hum of a text in an audio format. */
export function hummed(text: string, { encoding, rateHz }: { encoding: string; rateHz: number }): Buffer {
  const samples = Int16Array.from({ length: (hummedMs(text) * rateHz) / 1000 }, (_, at) =>
    Math.round(TONE_PEAK * Math.cos((2 * Math.PI * TONE_HZ * at) / rateHz)),
  );
  if (!/mulaw|ulaw/.test(encoding)) return Buffer.from(samples.buffer);
  const bytes = Buffer.alloc(samples.length);
  encodeUlaw(samples, bytes);
  return bytes;
}

/** The words of a text with the times of their hums, in milliseconds. */
export function hummedWords(text: string): { word: string; startMs: number; endMs: number }[] {
  return [...text.trim().matchAll(/\S+/g)].map((match) => ({
    word: match[0],
    startMs: match.index * TONE_MS_PER_CHARACTER,
    endMs: (match.index + match[0].length) * TONE_MS_PER_CHARACTER,
  }));
}
