import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import { briefOf, createPlaybooks, type PlaybookBrief } from '#test/support/playbooks.js';
import { thoughtsOf, undisturbed } from '#test/contracts/dialogue-manager.js';

/** A Saturday, half past twelve in New York. */
const NOW = '2026-11-21T17:30:00Z';
/** The agents that a workspace has without a playbook of its own. */
const RECEPTIONIST: Partial<PlaybookBrief> = { playbook: defaultPlaybook };
const NOTE_TAKER: Partial<PlaybookBrief> = { playbook: null, initialMessage: 'Your parcel is ready.' };
const ASKING_NOTE_TAKER: Partial<PlaybookBrief> = { playbook: null, initialMessage: 'How was your stay?' };

async function outcomeOf(brief: Partial<PlaybookBrief>, answers: readonly string[]) {
  const clock = { wallMs: () => Date.parse(NOW) };
  const session = createPlaybooks({ clock, timeZone: 'America/New_York' }).open(briefOf(brief));
  let thoughts = await thoughtsOf(session.turn({ kind: 'opening' }, undisturbed));
  for (const text of answers)
    thoughts = await thoughtsOf(
      session.turn({ kind: 'heard', transcript: { text, confidence: 0.9 } }, undisturbed),
    );
  const { followUp, answers: kept, intent } = session.outcome();
  const at =
    followUp?.kind === 'call_back' && followUp.at !== null ? toInstant(followUp.at).slice(0, 16) : null;
  return { at, kept, intent, hasEnded: thoughts.at(-1)?.kind === 'end' };
}

const WISHES = [
  ['call me back tomorrow at three', '2026-11-22T20:00'],
  ["I'm driving, call me in an hour", '2026-11-21T18:30'],
  ["sorry I'm in a meeting can you ring me on monday at ten", '2026-11-23T15:00'],
  ['could you give me a call this afternoon at four please', '2026-11-21T21:00'],
  ["I'm at work call me back in two hours", '2026-11-21T19:30'],
  ["I can't talk now phone me back tonight at eight thanks bye", '2026-11-22T01:00'],
  ["I'm busy call me in half an hour", '2026-11-21T18:00'],
  ["I'm busy call me after an hour", '2026-11-21T18:30'],
  ["I'm busy call me two hours later", '2026-11-21T19:30'],
] as const;

describe.each([
  ['the agent of the beginning', RECEPTIONIST],
  ['an agent that has only a message', NOTE_TAKER],
  ['an agent whose message is a question', ASKING_NOTE_TAKER],
] as const)('%s', (_, brief) => {
  it.each(WISHES)('plans the call that is wished for: %s', async (text, at) => {
    const outcome = await outcomeOf(brief, [text]);
    expect(outcome).toMatchObject({ at, intent: 'call_back_later', hasEnded: true });
  });
});

it.each([
  'tell Bob to call me tomorrow at three',
  'call me tomorrow at three about the broken boiler',
  'please call me back',
  'you said you would call me back on monday',
  'the parcel came on monday call me back',
])('an agent that takes notes takes one of more than that: %s', async (text) => {
  expect(await outcomeOf(NOTE_TAKER, [text])).toMatchObject({ at: null, kept: { message: text } });
});

it.each(["I'm driving", 'not now', 'call me later'])(
  'the agent of the beginning ends politely where no time is named: %s',
  async (text) => {
    expect(await outcomeOf(RECEPTIONIST, [text])).toMatchObject({
      at: null,
      intent: 'not_now',
      hasEnded: true,
    });
  },
);

it.each(["I can't talk don't call me on monday either", "I'm at work don't call me at ten"])(
  'no call is planned for when it is unwelcome: %s',
  async (text) => {
    expect(await outcomeOf(RECEPTIONIST, ['yes', text])).toMatchObject({ at: null });
  },
);

describe('a choice that offers to call back', () => {
  /** The clinic's question, with an answer of its own for those who want to be called. */
  const offering: Partial<PlaybookBrief> = {
    playbook: {
      start: 'coming',
      steps: {
        coming: {
          kind: 'ask',
          text: 'Will you come, shall we move it, or shall we call back?',
          expect: {
            kind: 'choice',
            options: [
              { value: 'come', phrases: ['come', 'I will come'] },
              { value: 'move', phrases: ['move it'] },
              { value: 'call_back', phrases: ['call back', 'call me back', 'later'] },
            ],
          },
          answers: { come: 'bye', move: 'bye', call_back: 'bye' },
          otherwise: 'bye',
        },
        bye: { kind: 'end', text: 'Goodbye.' },
      },
    },
  };

  it.each(WISHES.slice(0, 5))('does not swallow the time in "%s"', async (text, at) => {
    expect(await outcomeOf(offering, [text])).toMatchObject({ at });
  });

  it('is chosen by a wish that names no time', async () => {
    expect(await outcomeOf(offering, ['call back'])).toMatchObject({
      at: null,
      kept: { coming: 'call_back' },
    });
  });
});
