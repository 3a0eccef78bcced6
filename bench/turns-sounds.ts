import { FRAME_MS } from '#media/samples/audio.js';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { loadResampling } from '#media/samples/resampler.js';
import { FLITE_RATE_HZ, FliteEngine } from '#providers/builtin/flite/flite-engine.js';
import { normaliseLevel, trimSilence } from '#providers/builtin/flite/wave-shaping.js';
import { babbleOf, pinkNoise, soundOf } from '#telephony/sandbox/callees/sounds.js';

export const RATE_HZ = 8_000;
export const FRAME = (RATE_HZ * FRAME_MS) / 1000;

/** What is under the caller's voice: a loop at the level of a voice, and how far below the voice it lies. */
export interface Noise {
  loop: Int16Array;
  snrDb: number;
}

/** Everything that can be heard from callers, made of real voices and of seeded noise: the same in every run. */
export interface Sounds {
  voice(text: string, voice: string): Int16Array;
  silence(forMs: number): Int16Array;
  cough(forMs: number): Int16Array;
  music(forMs: number): Int16Array;
  readonly pink: Int16Array;
  readonly babble: Int16Array;
}

export async function makeSounds(): Promise<Sounds> {
  const engine = await FliteEngine.load();
  const resampling = await loadResampling();
  const made = new Map<string, Int16Array>();
  const speak = (text: string, voice: string): Int16Array => {
    const spoken = normaliseLevel(trimSilence(engine.speak(text, voice), FLITE_RATE_HZ));
    const resampler = resampling.open({ fromHz: FLITE_RATE_HZ, toHz: RATE_HZ });
    const narrow = resampler.process(spoken).slice();
    resampler.free();
    return narrow;
  };
  const voice = (text: string, speaker: string): Int16Array => {
    const key = `${speaker}: ${text}`;
    const sound = made.get(key) ?? speak(text, speaker);
    made.set(key, sound);
    return sound;
  };
  const crowd = ['slt', 'rms', 'awb', 'kal16'].map((speaker) =>
    voice('so I went there on Monday and then they told me that nobody had ever heard of it before', speaker),
  );
  return {
    voice,
    silence: (forMs) => new Int16Array((forMs * RATE_HZ) / 1000),
    cough: (durationMs) => soundOf({ kind: 'cough', durationMs }),
    music: (durationMs) => soundOf({ kind: 'music', durationMs }),
    pink: pinkNoise(),
    babble: babbleOf(crowd),
  };
}

/** Sounds one after the other. */
export function inARow(...parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** One frame as a telephone line carries it: sound and noise, through μ-law. Noise counts from `noiseFrame`. */
export function lineFrame(
  sound: Int16Array | null,
  soundFrame: number,
  noise: Noise | null,
  noiseFrame: number,
): Int16Array {
  const frame = new Int16Array(FRAME);
  const gain = noise ? 10 ** (-noise.snrDb / 20) : 0;
  for (let index = 0; index < FRAME; index += 1) {
    const heard = sound?.[soundFrame * FRAME + index] ?? 0;
    const at = noise ? wrapped(noiseFrame * FRAME + index, noise.loop.length) : 0;
    frame[index] = Math.max(
      -32_767,
      Math.min(32_767, heard + (noise ? Math.round(noise.loop[at]! * gain) : 0)),
    );
  }
  const coded = new Uint8Array(FRAME);
  encodeUlaw(frame, coded);
  decodeUlaw(coded, frame);
  return frame;
}

function wrapped(index: number, length: number): number {
  return ((index % length) + length) % length;
}
