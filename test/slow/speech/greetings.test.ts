import { DEFAULT_LANGUAGES } from '#language/languages/languages.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { classifyAnswer } from '#conversation/answering/answer-phrases.js';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { drawn } from '#test/support/tier.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });
const kindOf = (text: string) => classifyAnswer(text, DEFAULT_LANGUAGES.forTag('en-US'));

beforeAll(() => pool.warmUp());

async function hear(text: string, options: { voice?: string; mayBeMachine?: boolean } = {}) {
  const { voice = 'rms', mayBeMachine = true } = options;
  const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000, mayBeMachine });
  stream.expect({ kind: 'yes_no' });
  pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
  const heard = await stream.finish();
  stream.close();
  return heard;
}

const GREETING = 'You have reached the voicemail of Jordan Miller. Please leave a message after the tone.';

describe('how a machine greets', () => {
  const GREETINGS = [
    [GREETING, 'rms'],
    [GREETING, 'slt'],
    [
      'Hi this is Sarah. I cannot come to the phone. Please leave your name and I will get back to you as soon as I can',
      'awb',
    ],
    ['Please leave a message after the tone.', 'slt'],
    [
      'You have reached doctor Miller. We are not able to take your call. Please leave your number after the beep',
      'rms',
    ],
  ] as const;
  it.each(drawn(2, GREETINGS))('is known although yes or no was hoped for: %s (%s)', async (text, voice) => {
    const heard = await hear(text, { voice });
    expect(heard).toMatchObject({ text: '', confidence: 0 });
    expect(kindOf(heard.greeting ?? ''), heard.greeting).toBe('machine');
  });

  const SAID_BY_PEOPLE = [
    'The train leaves from platform eleven and the lawyer signed both documents',
    'Well I have been waiting for your call all morning and nobody told me anything about it',
    'I was just about to leave for the doctor so can you tell me quickly what this is about',
    'Can you leave a message with my wife she has the phone number of the office',
  ];
  it.each(drawn(2, SAID_BY_PEOPLE))('is not found in what people say: %s', async (text) => {
    expect(kindOf((await hear(text)).greeting ?? '')).not.toBe('machine');
  });

  it('is not listened for in answers, nor where nobody was called', async () => {
    expect(await hear('yes please')).toMatchObject({ text: 'yes please' });
    expect(await hear('yes please')).not.toHaveProperty('greeting');
    expect(await hear(GREETING, { mayBeMachine: false })).toEqual({ text: '', confidence: 0 });
  });
});
