import { beforeAll, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { RecognitionHints } from '#speech/stt.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());

const VOICES = drawn(1, ['rms', 'slt']);
const DAY_AND_TIME: RecognitionHints = { kind: 'date', ahead: { kind: 'time' } };
const GUESTS: RecognitionHints = { kind: 'number', max: 8, isWhole: true };
const TABLE: RecognitionHints = { ...GUESTS, ahead: { kind: 'date' } };
const COLOURS: RecognitionHints = {
  kind: 'choice',
  options: ['silver', 'none', 'copper'].map((value) => ({ value, phrases: [value] })),
};

const ANSWERS: readonly [what: string, RecognitionHints, ...texts: string[]][] = [
  [
    'a day with its time',
    DAY_AND_TIME,
    'on tuesday at three',
    'friday at seven',
    'tomorrow at half past nine',
  ],
  ['a day alone, all the same', DAY_AND_TIME, 'thursday', 'the fifth of december', 'saturday the eighth'],
  [
    'a call back by who is busy',
    { kind: 'yes_no' },
    'not now call me tomorrow at three',
    'call me back today at ten',
    'no not today',
  ],
  ['nobody', GUESTS, 'nobody else', 'no one else', 'nine'],
  ['none, which is not nine', GUESTS, 'none', 'one', 'four'],
  ['none as an option', COLOURS, 'none', 'silver', 'none please'],
  [
    'a table for so many',
    TABLE,
    'for four on friday at seven',
    'four',
    'for two tomorrow at eight',
    'seven people',
  ],
  [
    'a table at a time',
    { kind: 'date' },
    'for four on friday at seven',
    'friday at seven for four',
    'tomorrow',
  ],
  ['another time', { kind: 'date' }, 'how about friday at two', 'how about tomorrow at two', 'monday at two'],
];

// Seconds of sound are heard one after the other, on whatever machine this is.
it.each(drawn(4, ANSWERS))('%s is heard', async (_what, expectation, ...texts) => {
  const heard: string[] = [];
  for (const voice of VOICES) {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect(expectation);
    for (const text of texts) {
      pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
      heard.push((await stream.finish()).text);
    }
    stream.close();
  }
  expect(heard).toEqual(VOICES.flatMap(() => texts));
});

it('hears "how about Wednesday at two" as no other day', async () => {
  const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
  stream.expect({ kind: 'date' });
  for (const voice of VOICES) {
    pushFrames(stream, overTheLine(await spoken(speaking, 'how about wednesday at two', { voice })));
    expect(['how about wednesday at two', '']).toContain((await stream.finish()).text);
  }
  stream.close();
});
