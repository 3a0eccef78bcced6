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

/** Of many ways to say a thing, an unlucky one may be asked for again. */
const LEAST_SHARE = 0.75;

const PHRASES: readonly [what: string, RecognitionHints, ...texts: string[]][] = [
  [
    'a day with its time',
    { kind: 'date', ahead: { kind: 'time' } },
    'tomorrow morning at nine',
    'friday afternoon at three',
    'wednesday at two would be great',
    'i can do thursday at eleven',
  ],
  [
    'a day',
    { kind: 'date' },
    'i can come on monday',
    'i am available on wednesday',
    'do you have anything on monday',
    'can you do saturday',
    'any time on wednesday',
  ],
  [
    'a time',
    { kind: 'time' },
    'can we make it four',
    'i can come at nine',
    'i could be there at ten',
    'maybe around noon',
  ],
  [
    'a number of people',
    { kind: 'number', max: 20, isWhole: true },
    'there will be four of us',
    'we will be eight',
    'six adults',
  ],
  ['hundreds', { kind: 'number', max: null, isWhole: true }, 'twelve hundred', 'fifteen hundred'],
  [
    'a wish for no more calls',
    { kind: 'yes_no' },
    'stop calling me day and night',
    'quit calling me',
    'no calls please',
    "don't ring me again",
    "i don't want any more calls",
    'put me on your do not call list',
    'stop these calls',
  ],
  [
    'what only sounds like one',
    { kind: 'yes_no' },
    'leave me a message',
    'leave it alone',
    "i'd rather you called later",
    'do not change it',
  ],
  [
    'when to be called',
    { kind: 'yes_no' },
    'call me after an hour',
    'call me back after thirty minutes',
    'call me in an hour',
  ],
  ['a name', { kind: 'name', names: [] }, 'susan clark is my name', 'you are speaking with susan clark'],
];

// Seconds of sound are heard one after the other, on whatever machine this is.
it.each(drawn(2, PHRASES))('%s is heard as people say it', async (_what, expectation, ...texts) => {
  const missed: string[] = [];
  for (const voice of ['rms', 'slt']) {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    stream.expect(expectation);
    for (const text of texts) {
      pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
      const heard = await stream.finish();
      if (heard.text !== text) missed.push(`${voice}: ${text} → ${heard.text}`);
    }
    stream.close();
  }
  expect(1 - missed.length / (2 * texts.length), missed.join('; ')).toBeGreaterThanOrEqual(LEAST_SHARE);
});
