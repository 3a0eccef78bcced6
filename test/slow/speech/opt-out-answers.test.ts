import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import { OPT_OUT_EXPECTATION, readOptOutAnswer } from '#playbook/talk/opt-out-answer.js';
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

const lines = {
  clear: (speech: Int16Array) => overTheLine(speech),
  noisy: (speech: Int16Array) => overANoisyLine(speech, 20),
};

/** What the agent makes of it who asked whether no more calls are wanted, at a step of yes or no. */
async function answersTo(texts: readonly string[], voice: string, line: keyof typeof lines) {
  const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
  stream.expect({ kind: 'yes_no', phrases: OPT_OUT_EXPECTATION.yes });
  const found: string[] = [];
  for (const text of texts) {
    pushFrames(stream, lines[line](await spoken(speaking, text, { voice })));
    found.push(
      readOptOutAnswer(await stream.finish(), {
        kind: 'yes_no',
        meaning: { kind: 'unclear' },
        wasHeard: true,
        readContext: { now: NOW, region: 'US' },
        minConfidence: 0.3,
      }),
    );
  }
  stream.close();
  return found;
}

const OTHERS = ['no', 'nope', 'no no', 'no thank you', 'never mind', 'sorry what', "I don't know", 'Tuesday'];

describe('who is asked whether no more calls are wanted', () => {
  const REFUSING = [
    ['slt', 'clear'],
    ['rms', 'clear'],
    ['rms', 'noisy'],
    ['awb', 'noisy'],
  ] as const;
  it.each(drawn(1, REFUSING))('is suppressed by no word but a yes: %s, %s', async (voice, line) => {
    expect(await answersTo(OTHERS, voice, line)).not.toContain('do_not_call');
  });

  const AGREEING = [
    ['slt', 'clear'],
    ['rms', 'noisy'],
  ] as const;
  it.each(drawn(1, AGREEING))('is heard when they say yes, or stop: %s, %s', async (voice, line) => {
    const agreeing = ['yes', 'yes please', 'yes I do', 'please do', 'stop'];
    expect(await answersTo(agreeing, voice, line)).toEqual(agreeing.map(() => 'do_not_call'));
  });
});
