import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { overANoisyLine } from '#test/support/noise.js';
import { pushFrames, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());

const SAID = [
  'yes I have time',
  'no I cannot come',
  'yes',
  'yes please',
  'no thank you',
  'can you repeat that',
  'yes I will be there',
  'one moment please',
];

// Without noise suppression, not one of them is understood at 25 dB.
describe('answers over a noisy line', () => {
  const NOISY = [
    [30, 'rms', 7],
    [25, 'rms', 7],
    [20, 'rms', 6],
    [25, 'awb', 5],
    [20, 'slt', 5],
  ] as const;
  it.each(drawn(1, NOISY))('are understood with noise %i dB below %s', async (snrDb, voice, least) => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect({ kind: 'yes_no' });
    const understood: string[] = [];
    for (const text of SAID) {
      pushFrames(stream, overANoisyLine(await spoken(speaking, text, { voice }), snrDb));
      understood.push((await stream.finish()).text);
    }
    stream.close();

    const right = understood.filter((text, i) => text === SAID[i]!.toLowerCase());
    expect(right.length, understood.join(' | ')).toBeGreaterThanOrEqual(least);
  });
});
