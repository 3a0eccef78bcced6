import { E164 } from '#kernel/input/phone-number.js';
import { readPersona, type PersonaFile } from './persona-file.js';
import type { Persona } from './persona.js';

// The built-in personas: the simulated people and machines of the sandbox network, by number.

/** The default caller id (E.164): with the area code 555, which no region has. */
export const SANDBOX_FROM_NUMBER = '+15550000000';

/** The last step of most personas who talk, repeated until the agent hangs up. */
const GOODBYE = { do: 'say', text: 'thank you goodbye' } as const;

/**
 * The answers of personas who confirm everything. The built-in recogniser understands these words without an error when
 * the default voice says them over the telephone.
 */
const CONFIRMING: NonNullable<PersonaFile['script']> = [
  { do: 'say', text: 'yes I have time' },
  { do: 'say', text: 'yes I will be there' },
  { do: 'say', text: 'morning please' },
  { do: 'say', text: 'yes please' },
];

/** The usual ends of calls: people who talk, stay silent, hang up or do not answer, and a number that nobody has. */
const PEOPLE: readonly PersonaFile[] = [
  {
    number: '+15550100001',
    name: 'Talks and confirms',
    description:
      'Answers, listens, says yes to everything and thanks for the call. Every unlisted number, too.',
    script: CONFIRMING,
    thereafter: GOODBYE,
  },
  {
    number: '+15550100002',
    name: 'Talks and declines',
    description: 'Answers, has time to talk, and says no to what is asked.',
    script: [
      { do: 'say', text: 'yes I have time' },
      { do: 'say', text: 'no I cannot come' },
    ],
    thereafter: GOODBYE,
  },
  {
    number: '+15550100003',
    name: 'Stays silent',
    description: 'Answers and never says a word; waits until the agent hangs up.',
  },
  {
    number: '+15550100004',
    name: 'Hangs up in mid-sentence',
    description: 'Answers the first question and hangs up while the agent is saying its next sentence.',
    script: [
      { do: 'say', text: 'yes I have time' },
      { when: 'agent_speaking', after_ms: 1_000, do: 'hang_up' },
    ],
  },
  {
    number: '+15550100005',
    name: 'Busy',
    description: 'Is on the phone already.',
    pickup: { kind: 'busy' },
  },
  {
    number: '+15550100006',
    name: 'No answer',
    description: 'Lets it ring until the ring time-out.',
    pickup: { kind: 'no_answer' },
  },
  {
    number: '+15550100007',
    name: 'Rejects',
    description: 'Looks at the phone and declines the call.',
    pickup: { kind: 'rejects' },
  },
  {
    number: '+15550100008',
    name: 'Invalid number',
    description: 'Is not assigned to anybody; the network refuses to dial it.',
    pickup: { kind: 'unassigned' },
  },
  {
    number: '+15550100009',
    name: 'Answers and hangs up at once',
    description: 'For load tests: the call is over as soon as it is answered, and no audio is connected.',
    pickup: { kind: 'hangs_up_at_once' },
  },
];

/** People who talk in ways that are hard for agents. */
const DIFFICULT_TALKERS: readonly PersonaFile[] = [
  {
    number: '+15550100010',
    name: 'Asks questions',
    description: 'Wants to know who is calling, and asks to hear it again, before saying yes.',
    script: [{ do: 'say', text: 'who is this' }, { do: 'say', text: 'can you repeat that' }, ...CONFIRMING],
    thereafter: GOODBYE,
  },
  {
    number: '+15550100011',
    name: 'Interrupts',
    description: 'Answers the first question, then cuts the next one short with the answer.',
    script: [
      { do: 'say', text: 'yes I have time' },
      { when: 'agent_speaking', after_ms: 700, do: 'say', text: 'yes yes I will be there' },
      ...CONFIRMING.slice(2),
    ],
    thereafter: GOODBYE,
  },
  {
    number: '+15550100012',
    name: 'Says uh-huh',
    description: 'Shows to be listening while the agent speaks, which is no interruption; then confirms.',
    script: CONFIRMING.flatMap((answer) => [
      { when: 'agent_speaking', after_ms: 900, do: 'say', text: 'uh huh' } as const,
      answer,
    ]),
    thereafter: GOODBYE,
  },
  {
    number: '+15550100013',
    name: 'Speaks slowly',
    description: 'Takes long to answer, and pauses in the middle of a sentence and of a number.',
    voice: 'awb',
    script: [
      { after_ms: 1_500, do: 'say', text: 'yes' },
      { when: 'at_once', after_ms: 300, do: 'say', text: 'I have time' },
      { after_ms: 1_500, do: 'say', text: 'my number is' },
      { when: 'at_once', after_ms: 500, do: 'say', text: 'five five five' },
      { when: 'at_once', after_ms: 700, do: 'say', text: 'zero one zero' },
      { when: 'at_once', after_ms: 900, do: 'say', text: 'four four two one' },
    ],
    thereafter: { after_ms: 1_500, do: 'say', text: 'yes please' },
  },
  {
    number: '+15550100014',
    name: 'Speaks another language',
    description: 'Says in Spanish that there is no English here (as an English voice reads it).',
    script: [
      { do: 'say', text: 'hola, buenos deeas, no ah-blow inglace' },
      { do: 'say', text: 'lo see-ento mucho, no comprendo nada' },
    ],
    thereafter: { do: 'say', text: 'no comprendo, ah-deeos' },
  },
  {
    number: '+15550100015',
    name: 'Presses keys',
    description:
      'Never speaks: answers the first question with the keys 1 and #, the next one with 2, then with 1.',
    script: [
      { do: 'press', digits: '1#' },
      { do: 'press', digits: '2' },
    ],
    thereafter: { do: 'press', digits: '1' },
  },
  {
    number: '+15550100022',
    name: 'Wants no more calls',
    description: 'Answers, and asks not to be called again.',
    script: [{ do: 'say', text: "don't call me again" }],
    thereafter: GOODBYE,
  },
];

/** People who confirm everything, on impaired lines. */
const BAD_LINES: readonly PersonaFile[] = [
  {
    number: '+15550100016',
    name: 'In a moving car',
    description: 'Confirms, with pink noise 15 dB below the voice.',
    line: { noise: { kind: 'pink', snr_db: 15 } },
    script: CONFIRMING,
    thereafter: GOODBYE,
  },
  {
    number: '+15550100017',
    name: 'In a crowd',
    description: 'Confirms, with other people talking 12 dB below the voice.',
    line: { noise: { kind: 'babble', snr_db: 12 } },
    script: CONFIRMING,
    thereafter: GOODBYE,
  },
  {
    number: '+15550100018',
    name: 'On a bad connection',
    description: 'Confirms, while 3 % of the frames are lost, some come late in bursts, and some swapped.',
    line: { lost_percent: 3, late_percent: 2, late_ms: 160, swapped_percent: 1 },
    script: CONFIRMING,
    thereafter: GOODBYE,
  },
];

/** Machines that answer calls, and a person who plays music. */
const MACHINES: readonly PersonaFile[] = [
  {
    number: '+15550100019',
    name: 'Voicemail',
    description: 'An answering machine: a greeting, a beep, then silence for half a minute.',
    voice: 'slt',
    script: [
      {
        when: 'at_once',
        after_ms: 400,
        do: 'say',
        text: 'You have reached the voicemail of Jordan. I am not available right now. Please leave a message after the beep.',
      },
      { when: 'at_once', after_ms: 600, do: 'play', sound: 'beep' },
      { when: 'at_once', after_ms: 30_000, do: 'hang_up' },
    ],
  },
  {
    number: '+15550100020',
    name: 'Screens calls',
    description:
      'An assistant asks who is calling and why, then puts the call through to somebody who confirms.',
    voice: 'slt',
    script: [
      {
        when: 'at_once',
        after_ms: 400,
        do: 'say',
        text: 'Hello. The person you are calling is using a screening service. Please say your name and why you are calling.',
      },
      { after_ms: 800, do: 'say', text: 'Thank you. Please stay on the line.' },
      { when: 'at_once', after_ms: 500, do: 'play', sound: 'music', duration_ms: 4_000 },
      { when: 'at_once', after_ms: 500, do: 'say', text: 'hello' },
      ...CONFIRMING,
    ],
    thereafter: GOODBYE,
  },
  {
    number: '+15550100021',
    name: 'Puts on hold',
    description: 'Plays music for ten seconds at the first question, then comes back and confirms.',
    script: [
      { do: 'say', text: 'one moment please' },
      { when: 'at_once', after_ms: 500, do: 'play', sound: 'music' },
      { when: 'at_once', after_ms: 500, do: 'say', text: 'yes I have time' },
      ...CONFIRMING.slice(1),
    ],
    thereafter: GOODBYE,
  },
  {
    number: '+15550100023',
    name: 'Phone menu',
    description: 'A machine that asks for key 1, then for a number with # behind it, thanks and hangs up.',
    voice: 'slt',
    script: [
      { when: 'at_once', after_ms: 400, do: 'say', text: 'Welcome. For appointments, press one.' },
      {
        when: 'keys_pressed',
        keys: '1',
        after_ms: 300,
        do: 'say',
        text: 'You have pressed one. Please enter your number, and then the pound key.',
      },
      { when: 'keys_pressed', keys: '#', after_ms: 300, do: 'say', text: 'Thank you. Goodbye.' },
      { when: 'at_once', after_ms: 300, do: 'hang_up' },
    ],
  },
];

/** The built-in personas, from the tables above. Operators add personas as files. */
export const PERSONAS: readonly Persona[] = [...PEOPLE, ...DIFFICULT_TALKERS, ...BAD_LINES, ...MACHINES].map(
  (file) => readPersona(file),
);

/**
 * Returns the function that finds the persona who answers a number: the persona with this number, or the first persona
 * of the list for any other number. The function returns null for a number that is not E.164, and for the number of a
 * persona that stands for an unassigned number. Used by the sandbox carrier.
 */
export function createPersonaLookup(
  personas: readonly Persona[] = PERSONAS,
): (number: string) => Persona | null {
  const byNumber = new Map(personas.map((persona) => [persona.number, persona]));
  const defaultPersona = personas[0] ?? null;
  return (number) => {
    const persona = byNumber.get(number) ?? (E164.test(number) ? defaultPersona : null);
    return persona?.pickup.kind === 'unassigned' ? null : persona;
  };
}
