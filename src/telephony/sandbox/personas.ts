import { hangsUpInMidSentence, says, SILENCE, type Persona, type Script } from './persona.js';

/** The caller id of sandbox calls that name none (E.164, fictional). */
export const SANDBOX_FROM_NUMBER = '+15550000000';

/** Worded so that the built-in recogniser understands this voice over the telephone, word for word. */
const CONFIRMS: Script = {
  steps: [says('yes I have time'), says('yes I will be there'), says('morning please'), says('yes please')],
  thereafter: says('thank you goodbye'),
};

const DECLINES: Script = {
  steps: [says('yes I have time'), says('no I cannot come')],
  thereafter: says('thank you goodbye'),
};

/** Everybody who lives in the sandbox network, by number. To add one, add an entry. */
export const PERSONAS: readonly Persona[] = [
  {
    number: '+15550100001',
    name: 'Talks and confirms',
    description:
      'Answers, listens, says yes to everything and thanks for the call. Every unlisted number, too.',
    pickup: { kind: 'answers', ringMs: null },
    script: CONFIRMS,
  },
  {
    number: '+15550100002',
    name: 'Talks and declines',
    description: 'Answers, has time to talk, and says no to what is asked.',
    pickup: { kind: 'answers', ringMs: null },
    script: DECLINES,
  },
  {
    number: '+15550100003',
    name: 'Stays silent',
    description: 'Answers and never says a word; waits until the agent hangs up.',
    pickup: { kind: 'answers', ringMs: null },
    script: SILENCE,
  },
  {
    number: '+15550100004',
    name: 'Hangs up in mid-sentence',
    description: 'Answers the first question and hangs up while the agent is saying its next sentence.',
    pickup: { kind: 'answers', ringMs: null },
    script: { steps: [says('yes I have time'), hangsUpInMidSentence(1_000)], thereafter: null },
  },
  {
    number: '+15550100005',
    name: 'Busy',
    description: 'Is on the phone already.',
    pickup: { kind: 'busy' },
    script: SILENCE,
  },
  {
    number: '+15550100006',
    name: 'No answer',
    description: 'Lets it ring until the ring time-out.',
    pickup: { kind: 'no_answer' },
    script: SILENCE,
  },
  {
    number: '+15550100007',
    name: 'Rejects',
    description: 'Looks at the phone and declines the call.',
    pickup: { kind: 'rejects' },
    script: SILENCE,
  },
  {
    number: '+15550100008',
    name: 'Invalid number',
    description: 'Is not assigned to anybody; the network refuses to dial it.',
    pickup: { kind: 'unassigned' },
    script: SILENCE,
  },
  {
    number: '+15550100009',
    name: 'Answers and hangs up at once',
    description: 'For load tests: the call is over as soon as it is answered, and no audio is connected.',
    pickup: { kind: 'hangs_up_at_once' },
    script: SILENCE,
  },
];

const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Who answers at a number, as a look-up by number: the persona that lives there, and the first of the table anywhere
 * else. What no network could dial (not E.164) leads to nobody.
 */
export function createDirectory(personas: readonly Persona[] = PERSONAS): (number: string) => Persona | null {
  const byNumber = new Map(personas.map((persona) => [persona.number, persona]));
  const anybody = personas[0] ?? null;
  return (number) => {
    const persona = byNumber.get(number) ?? (E164.test(number) ? anybody : null);
    return persona?.pickup.kind === 'unassigned' ? null : persona;
  };
}
