import { encodeUlaw } from '#media/samples/g711.js';

/** A voice that hums: so much for each character, and a bit of every hum is its own. */
export const TONE_MS_PER_CHARACTER = 60;
const TONE_HZ = 440;
/** −18 dBFS RMS as a sine's peak. */
const TONE_PEAK = 5_834;

/** How long an emulated voice hums for a text. */
export function hummedMs(text: string): number {
  return text.trim().length * TONE_MS_PER_CHARACTER;
}

/** The tone of a text as the bytes of a format. */
export function hummed(text: string, { encoding, rateHz }: { encoding: string; rateHz: number }): Buffer {
  const samples = Int16Array.from({ length: (hummedMs(text) * rateHz) / 1000 }, (_, at) =>
    Math.round(TONE_PEAK * Math.cos((2 * Math.PI * TONE_HZ * at) / rateHz)),
  );
  if (!/mulaw|ulaw/.test(encoding)) return Buffer.from(samples.buffer);
  const bytes = Buffer.alloc(samples.length);
  encodeUlaw(samples, bytes);
  return bytes;
}

/** The words of a text, and from when to when each of them is hummed, in milliseconds. */
export function hummedWords(text: string): { word: string; startMs: number; endMs: number }[] {
  return [...text.trim().matchAll(/\S+/g)].map((match) => ({
    word: match[0],
    startMs: match.index * TONE_MS_PER_CHARACTER,
    endMs: (match.index + match[0].length) * TONE_MS_PER_CHARACTER,
  }));
}
