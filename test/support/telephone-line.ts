import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import type { SampleRateHz } from '#media/samples/audio.js';
import type { Tts } from '#speech/tts.js';

/** The whole audio of a text. */
export async function spoken(
  speaking: Tts,
  text: string,
  options: { voice?: string; sampleRateHz?: SampleRateHz } = {},
): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  const request = {
    text,
    voice: options.voice ?? null,
    language: 'en-US',
    sampleRateHz: options.sampleRateHz ?? 8000,
  };
  for await (const piece of speaking.speak(request)) pieces.push(piece);
  return joined(pieces);
}

/** Concatenates pieces of audio. */
export function joined(pieces: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** An utterance as it arrives over the line: with silence before and after, and through G.711. */
export function overTheLine(speech: Int16Array, sampleRateHz: SampleRateHz = 8000): Int16Array {
  const silence = (lengthMs: number) => new Int16Array((lengthMs * sampleRateHz) / 1000);
  const line = joined([silence(300), speech, silence(400)]);
  const bytes = new Uint8Array(line.length);
  encodeUlaw(line, bytes);
  decodeUlaw(bytes, line);
  return line;
}

/** Pushes audio in frames of 20 ms, as in a call. */
export function pushFrames(
  stream: { push(samples: Int16Array): void },
  samples: Int16Array,
  sampleRateHz: SampleRateHz = 8000,
): void {
  const frame = sampleRateHz / 50;
  for (let from = 0; from < samples.length; from += frame) stream.push(samples.subarray(from, from + frame));
}
