import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFliteSpeaking } from '../../../src/speech/flite/flite-speaking.js';
import type { Expectation } from '../../../src/speech/hearing.js';
import { createPocketsphinxHearing } from '../../../src/speech/pocketsphinx/pocketsphinx-hearing.js';
import { createSpeechPool } from '../../../src/speech/threads/speech-pool.js';
import { createMemoryLog } from '../../support/memory-log.js';
import { overTheLine, pushFrames, spoken } from '../../support/telephone-line.js';

const pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
const speaking = createFliteSpeaking({ pool });
const hearing = createPocketsphinxHearing({ pool });

beforeAll(() => pool.warmUp());
afterAll(() => pool.close());

const DAY_AND_TIME: Expectation = { kind: 'date', ahead: { kind: 'time' } };
const GUESTS: Expectation = { kind: 'number', max: 8, isWhole: true };

// Seconds of sound are heard one after the other, on whatever machine this is.
it.each<[string, Expectation, ...texts: string[]]>([
  [
    'a day with its time',
    DAY_AND_TIME,
    'on tuesday at three',
    'friday at seven',
    'tomorrow at half past nine',
  ],
  ['a day alone, all the same', DAY_AND_TIME, 'thursday', 'the fifth of december', 'saturday the eighth'],
  ['a call back by who is busy', { kind: 'yes_no' }, 'not now call me tomorrow at three'],
  ['nobody', GUESTS, 'nobody else', 'no one else', 'nine'],
])('%s is heard', { timeout: 60_000 }, async (_what, expectation, ...texts) => {
  const heard: string[] = [];
  for (const voice of ['rms', 'slt']) {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect(expectation);
    for (const text of texts) {
      pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
      heard.push((await stream.finish()).text);
    }
    stream.close();
  }
  expect(heard).toEqual([...texts, ...texts]);
});
