import { overTheLine } from './telephone-line.js';

const FULL_SCALE = 32_767;

/** Mean power in dB of full scale. */
export function levelDb(samples: Int16Array): number {
  const power = samples.reduce((sum, sample) => sum + (sample / FULL_SCALE) ** 2, 0) / samples.length;
  return 10 * Math.log10(power + 1e-12);
}

/** Pink noise, as in rooms and on roads (3 dB less per octave), reproducible. */
export function pinkNoise(options: { samples: number; levelDb: number }): Int16Array {
  let seed = 7;
  const white = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff) / 0x3fff_ffff - 1;
  const poles = [0.99765, 0.963, 0.57].map((pole, i) => ({
    pole,
    gain: [0.099, 0.2965, 1.0527][i]!,
    value: 0,
  }));
  const shape = Array.from({ length: options.samples }, () => {
    const sample = white();
    return poles.reduce((sum, pole) => sum + (pole.value = pole.pole * pole.value + sample * pole.gain), 0);
  });
  const quiet = Int16Array.from(shape, (value) => value * 1_000);
  const gain = 10 ** ((options.levelDb - levelDb(quiet)) / 20);
  return Int16Array.from(shape, (value) => Math.round(value * 1_000 * gain));
}

/** An utterance on a line with noise at this level below the voice. */
export function overANoisyLine(speech: Int16Array, snrDb: number): Int16Array {
  const line = overTheLine(speech);
  const noise = pinkNoise({ samples: line.length, levelDb: levelDb(speech) - snrDb });
  return line.map((sample, i) => Math.max(-FULL_SCALE, Math.min(FULL_SCALE, sample + noise[i]!)));
}
