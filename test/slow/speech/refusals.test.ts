import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { Transcript } from '#speech/stt.js';
import { interpret, type QuestionContext } from '#playbook/understanding/interpret.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { overANoisyLine } from '#test/support/noise.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool, clock: new FakeClock() });
const NOW = DateTime.fromISO('2026-11-23T12:00', { zone: 'America/New_York' });

beforeAll(() => pool.warmUp());

const REFUSALS = [
  "unfortunately I can't",
  'unfortunately not',
  "unfortunately I won't be able to",
  "unfortunately that doesn't work",
  "no unfortunately I can't make it",
  "I'm afraid I can't make it",
  "I'm afraid that doesn't work",
  "I'm sorry I can't",
  "I'm sorry but I can't",
  'no not at the moment',
  "I really can't",
  "I'm unable to",
  "that's no good for me",
  'no thank you',
];
const AGREEMENTS = [
  'yes please',
  'yes I can',
  'of course',
  'yes that would be great',
  'no problem',
  'I can make it',
  "I'll be there",
  'that works for me',
  'sure',
];
/** Told from "I can do that" by little more than a t, or from other short answers by one vowel. */
const HARDLY_REFUSALS = ["I can't do that", "I can't come", "I can't", "I wouldn't", 'never'];

const VOICES = ['slt', 'rms', 'awb', 'kal'];
const lines = {
  clear: (speech: Int16Array) => overTheLine(speech),
  noisy: (speech: Int16Array) => overANoisyLine(speech, 20),
};

/** What an agent makes of it who asked for yes or no. */
function meaningOf(heard: Transcript): string {
  const reading: QuestionContext = {
    expectation: { kind: 'yes_no' },
    minConfidence: 0.4,
    now: NOW,
    region: 'US',
  };
  const meaning = interpret(heard, reading);
  return meaning.kind === 'answer' ? meaning.value : meaning.kind;
}

async function meanings(
  texts: readonly string[],
  voice: string,
  line: keyof typeof lines,
): Promise<string[]> {
  const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
  stream.expect({ kind: 'yes_no' });
  const found: string[] = [];
  for (const text of texts) {
    pushFrames(stream, lines[line](await spoken(speaking, text, { voice })));
    found.push(meaningOf(await stream.finish()));
  }
  stream.close();
  return found;
}

function told(texts: readonly string[], found: readonly string[]): string {
  return texts.map((text, at) => `${text} = ${found[at]}`).join('; ');
}

describe('who is asked for yes or no', () => {
  const REFUSING = [
    ['slt', 'clear', 0.85],
    ['rms', 'clear', 0.85],
    ['awb', 'clear', 0.85],
    ['kal', 'clear', 0.85],
    ['rms', 'noisy', 0.7],
    ['slt', 'noisy', 0.5],
  ] as const;
  it.each(drawn(1, REFUSING))(
    'is understood when they refuse, however politely: %s, %s',
    async (voice, line, least) => {
      const found = await meanings(REFUSALS, voice, line);
      const right = found.filter((meaning) => meaning === 'no');
      expect(found, told(REFUSALS, found)).not.toContain('yes');
      expect(right.length / REFUSALS.length, told(REFUSALS, found)).toBeGreaterThanOrEqual(least);
    },
  );

  it.each(drawn(1, VOICES))(
    'is asked again rather than taken to agree, where little tells the two apart: %s',
    async (voice) => {
      const found = await meanings(HARDLY_REFUSALS, voice, 'clear');
      expect(found, told(HARDLY_REFUSALS, found)).not.toContain('yes');
    },
  );

  it.each(drawn(1, VOICES))('is understood as before when they agree: %s', async (voice) => {
    const found = await meanings(AGREEMENTS, voice, 'clear');
    const right = found.filter((meaning) => meaning === 'yes');
    expect(found, told(AGREEMENTS, found)).not.toContain('no');
    expect(right.length, told(AGREEMENTS, found)).toBeGreaterThanOrEqual(AGREEMENTS.length - 2);
  });
});
