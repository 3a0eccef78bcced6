import { createRandom } from '#telephony/sandbox/sound/line-noise.js';
import { SANDBOX_SAMPLE_RATE_HZ } from '#telephony/sandbox/sound/sandbox-frames.js';
import type { Sound } from '#telephony/sandbox/personas/persona.js';

/** Makes the sounds and noises of simulated callees, for `CalleeAudio`: always the same samples for the same sound. */

/**
 * The level of every voice on a clean line (−18 dBFS RMS, as voices are levelled after synthesis). It is the reference
 * of all noise levels.
 */
const VOICE_RMS = 32_767 * 10 ** (-18 / 20);
/** The length of the loops of noise and music. */
const LOOP_MS = 4_000;
/** The largest 16-bit sample. */
const PEAK = 32_767;

/** The tone of answering machines, at about 1 kHz, and its loudest sample. */
const BEEP_HZ = 1_000;
const BEEP_PEAK = 10_000;
/** Music on hold: four chords of one second, in Hz. */
const CHORDS = [
  [262, 330, 392],
  [220, 262, 330],
  [175, 220, 262],
  [196, 247, 294],
] as const;

/** The samples of a persona's sound at the sandbox's rate; recorded ones are returned unchanged. */
export function soundOf(sound: Sound): Int16Array {
  if (sound.kind === 'recorded') return sound.samples;
  const length = samplesIn(sound.durationMs);
  if (sound.kind === 'beep') return beep(length);
  return sound.kind === 'cough' ? cough(length) : repeated(music(), length);
}

/** A loop of pink noise at the level of a voice. */
export function pinkNoise(): Int16Array {
  const draw = createRandom('pink');
  // Paul Kellet's economy filter: turns white noise into pink noise within half a decibel.
  let low = 0;
  let middle = 0;
  let high = 0;
  return atVoiceLevel(
    Float64Array.from({ length: samplesIn(LOOP_MS) }, () => {
      const white = draw() * 2 - 1;
      low = 0.99765 * low + white * 0.099046;
      middle = 0.963 * middle + white * 0.2965164;
      high = 0.57 * high + white * 1.0526913;
      return low + middle + high + white * 0.1848;
    }),
  );
}

/** Mixes voices into a loop of babble at the level of one voice; each voice starts at another position. */
export function babbleOf(voices: readonly Int16Array[]): Int16Array {
  const whole = new Float64Array(samplesIn(LOOP_MS));
  for (const [index, voice] of voices.entries()) {
    const from = Math.floor((index * whole.length) / voices.length);
    for (let i = 0; voice.length > 0 && i < whole.length; i++)
      whole[(from + i) % whole.length]! += voice[i % voice.length]!;
  }
  return atVoiceLevel(whole);
}

/** The first `length` samples of a repeated loop. */
function repeated(loop: Int16Array, length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => loop[i % loop.length]!);
}

function beep(length: number): Int16Array {
  return Int16Array.from({ length }, (_, i) => BEEP_PEAK * Math.sin(phaseOf(BEEP_HZ, i)));
}

/** Chords whose notes decay like those of a piano. */
function music(): Int16Array {
  return atVoiceLevel(
    Float64Array.from({ length: samplesIn(LOOP_MS) }, (_, i) => {
      const chord = CHORDS[Math.floor((i * CHORDS.length) / samplesIn(LOOP_MS))]!;
      const decay = Math.exp((-3 * (i % SANDBOX_SAMPLE_RATE_HZ)) / SANDBOX_SAMPLE_RATE_HZ);
      return (
        chord.reduce((sum, hz) => sum + Math.sin(phaseOf(hz, i)) + Math.sin(phaseOf(2 * hz, i)) / 3, 0) *
        decay
      );
    }),
  );
}

/** A cough: a burst of noise that is loud at once and decays over its length. */
function cough(length: number): Int16Array {
  const draw = createRandom('cough');
  return atVoiceLevel(
    Float64Array.from({ length }, (_, i) => (draw() * 2 - 1) * Math.exp((-5 * i) / length)),
  );
}

/** A wave as samples at the level of a voice; samples that would be too large are cut to {@link PEAK}. */
function atVoiceLevel(wave: Float64Array): Int16Array {
  const rms = Math.sqrt(wave.reduce((sum, value) => sum + value * value, 0) / Math.max(1, wave.length));
  const gain = rms === 0 ? 0 : VOICE_RMS / rms;
  return Int16Array.from(wave, (value) => Math.max(-PEAK, Math.min(PEAK, Math.round(value * gain))));
}

/** The phase of a tone at a sample, in radians. */
function phaseOf(hz: number, sample: number): number {
  return (2 * Math.PI * hz * sample) / SANDBOX_SAMPLE_RATE_HZ;
}

function samplesIn(durationMs: number): number {
  return Math.round((durationMs * SANDBOX_SAMPLE_RATE_HZ) / 1000);
}
