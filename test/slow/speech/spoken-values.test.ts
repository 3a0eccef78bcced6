import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFliteTts } from '#providers/builtin/flite/flite-tts.js';
import type { SttSession } from '#speech/stt.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { playbookSchema } from '#playbook/definition/playbook.js';
import { briefOf, createPlaybooks } from '#test/support/playbooks.js';
import { readValue, answerHints } from '#playbook/values/value.js';
import { createPocketsphinxStt } from '#providers/builtin/pocketsphinx/pocketsphinx-stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';
import { sharedSpeechPool } from '#test/support/shared-speech.js';
import { overTheLine, pushFrames, spoken } from '#test/support/telephone-line.js';
import { drawn } from '#test/support/tier.js';

const pool = sharedSpeechPool();
const speaking = createFliteTts({ pool });
const hearing = createPocketsphinxStt({ pool });

beforeAll(() => pool.warmUp());

const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const SURROUNDINGS = { now: NOW, region: 'US' } as const;

async function hear(stream: SttSession, text: string, voice: string) {
  pushFrames(stream, overTheLine(await spoken(speaking, text, { voice })));
  return stream.finish();
}

const SPOKEN: readonly [PlaybookExpectation, ...texts: string[]][] = [
  [
    { kind: 'date' },
    'tomorrow',
    'on Friday please',
    'November twenty fourth',
    'in two weeks',
    'Wednesday the second',
  ],
  [
    { kind: 'time' },
    'three thirty',
    'half past nine',
    'quarter to four',
    "two o'clock in the afternoon",
    'noon',
  ],
  [{ kind: 'number', min: 0, max: 10 }, 'nine', 'zero', 'seven', "I'd say eight", 'ten'],
  [{ kind: 'number', max: 99 }, 'twenty four', 'ninety nine', 'eleven', 'eighty one'],
  [
    { kind: 'phone_number' },
    'five five five one two three four',
    'six oh two nine four three eight eight one seven',
    'eight hundred five five five nine three five three',
  ],
  [{ kind: 'name', likely: ['Zoe Zimmermann'] }, 'my name is John Smith', 'it is Zoe Zimmermann', 'Jennifer'],
];

// Seconds of sound are heard one after the other, on whatever machine this is.
describe('values over the telephone', () => {
  const SPEAKERS = [
    ['rms', 0.9, 0.05],
    ['awb', 0.7, 0.15],
  ] as const;
  it.each(drawn(1, SPEAKERS))(
    'are understood when %s speaks, and seldom misunderstood',
    async (voice, least, mostWrong) => {
      const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
      const notes: string[] = [];
      let [total, right, wrong] = [0, 0, 0];
      for (const [expectation, ...texts] of SPOKEN) {
        stream.expect(answerHints(expectation, SURROUNDINGS, (text) => text));
        for (const text of texts) {
          const heard = await hear(stream, text, voice);
          const value = readValue(heard.text, expectation, SURROUNDINGS);
          total += 1;
          if (value === readValue(text, expectation, SURROUNDINGS)) right += 1;
          else {
            if (typeof value === 'string') wrong += 1;
            notes.push(`${text} → ${heard.text}`);
          }
        }
      }
      stream.close();
      expect(right / total, notes.join('; ')).toBeGreaterThanOrEqual(least);
      expect(wrong / total, notes.join('; ')).toBeLessThanOrEqual(mostWrong);
    },
  );

  it('are not made of what holds none', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    const questions: PlaybookExpectation[] = [{ kind: 'number', min: 0, max: 10 }, { kind: 'time' }];
    for (const expectation of questions) {
      stream.expect(answerHints(expectation, SURROUNDINGS, (text) => text));
      const heard = await hear(stream, 'yes I will be there', 'rms');
      expect(heard.text).toBe('yes i will be there');
      expect(readValue(heard.text, expectation, SURROUNDINGS)).toBeNull();
    }
    stream.close();
  });

  it('fill a playbook, corrections included', async () => {
    const playbook = playbookSchema.parse({
      start: 'day',
      steps: {
        day: { kind: 'ask', text: 'Which day?', expect: { kind: 'date' }, next: 'time', otherwise: 'lost' },
        time: {
          kind: 'ask',
          text: '{{day}}. What time?',
          expect: { kind: 'time' },
          confirm: '{{day}} at {{time}}, right?',
          next: 'people',
          otherwise: 'lost',
        },
        people: {
          kind: 'ask',
          text: 'How many people?',
          expect: { kind: 'number', min: 1, max: 20 },
          next: 'phone',
          otherwise: 'lost',
        },
        phone: {
          kind: 'ask',
          text: 'Your number?',
          expect: { kind: 'phone_number' },
          confirm: '{{phone}}, right?',
          next: 'done',
          otherwise: 'lost',
        },
        done: { kind: 'end', text: 'Thank you.', resolution_achieved: true },
        lost: { kind: 'end', text: 'Sorry.', resolution_achieved: false },
      },
    });
    const clock = { wallMs: () => NOW.toMillis() };
    const session = createPlaybooks({ clock, timeZone: 'America/New_York' }).open(briefOf({ playbook }));
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    const listen = (thoughts: readonly DialogueOutput[]) => {
      const last = thoughts.at(-1)!;
      if (last.kind === 'listen') stream.expect(last.hints);
    };
    const talk: string[] = [];
    listen(await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed)));
    for (const text of [
      'on Thursday please',
      'no I said Tuesday',
      'half past three',
      'no quarter to four',
      'yes that is right',
      'seven',
      'six oh two nine four three eight eight one seven',
      'yes',
    ]) {
      const heard = await hear(stream, text, 'rms');
      const thoughts = await thoughtsOf(session.turn({ kind: 'heard', transcript: heard }, undisturbed));
      const reply = thoughts.flatMap((thought) => (thought.kind === 'say' ? [thought.text] : [])).join(' ');
      talk.push(`${heard.text} → ${reply}`);
      listen(thoughts);
    }
    stream.close();
    expect(session.outcome(), talk.join('\n')).toMatchObject({
      resolutionAchieved: true,
      answers: { day: '2026-11-24', time: '15:45', people: '7', phone: '+16029438817' },
    });
  });

  it('an opt-out is heard at a question for something else', async () => {
    const stream = await hearing.open({ language: 'en-US', sampleRateHz: 8000 });
    const questions = [
      { kind: 'yes_no' },
      { kind: 'date' },
      { kind: 'number', max: 10, isWhole: true },
    ] as const;
    for (const expectation of questions) {
      stream.expect(expectation);
      expect((await hear(stream, "please don't call me again", 'rms')).text).toMatch(/call me again/);
      expect((await hear(stream, 'never call me again', 'rms')).text).toBe('never call me again');
    }
    stream.close();
  });
});
