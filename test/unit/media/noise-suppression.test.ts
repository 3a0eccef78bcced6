import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  loadNoiseSuppression,
  type NoiseSuppression,
  type NoiseSuppressor,
} from '#media/detecting/noise-suppression.js';
import { loadResampling } from '#media/samples/resampler.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { createSpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { levelDb, pinkNoise } from '#test/support/noise.js';
import { joined, spoken } from '#test/support/telephone-line.js';

let suppression: NoiseSuppression;
let speech: Int16Array;
let stream: NoiseSuppressor | null = null;

beforeAll(async () => {
  suppression = await loadNoiseSuppression(await loadResampling());
  const pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
  speech = await spoken(createFliteTts({ pool }), 'yes I will be there', { voice: 'rms' });
  await pool.close();
});

afterEach(() => {
  stream?.free();
  stream = null;
});

function suppressed(samples: Int16Array, pieceSamples = 160): Int16Array {
  stream = suppression.open({ fromHz: 8000, toHz: 8000 });
  const pieces: Int16Array[] = [];
  for (let from = 0; from < samples.length; from += pieceSamples) {
    pieces.push(Int16Array.from(stream.process(samples.subarray(from, from + pieceSamples))));
  }
  return joined(pieces);
}

describe('suppressing the noise of a line', () => {
  it('leaves little of steady noise once it has got used to it', () => {
    const noise = pinkNoise({ samples: 24_000, levelDb: -40 });

    const left = suppressed(noise);

    expect(levelDb(left.subarray(8_000))).toBeLessThan(levelDb(noise.subarray(8_000)) - 15);
  });

  it('keeps a voice', () => {
    expect(Math.abs(levelDb(suppressed(speech)) - levelDb(speech))).toBeLessThan(2);
  });

  it.each([1, 70, 160, 320, 5_000])('gives as much as it takes, in pieces of %i samples', (pieceSamples) => {
    const left = suppressed(speech, pieceSamples);
    expect(left.length).toBeLessThanOrEqual(speech.length);
    expect(left.length).toBeGreaterThanOrEqual(speech.length - 160);
  });

  it('hands on the rate that is asked for', () => {
    stream = suppression.open({ fromHz: 16_000, toHz: 8000 });
    expect(stream.process(new Int16Array(16_000))).toHaveLength(8000);
  });
});
