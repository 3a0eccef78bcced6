import { isCallWished } from './call-wish.js';
import { isOptOutIn } from './opt-out.js';
import { phraseTable } from './phrases.js';
import { wordsOf } from './words.js';

/** Why a caller wants the call to be over. */
export type Leaving = 'goodbye' | 'later' | 'do_not_call' | 'wrong_number';

/** What a caller wants instead of answering. */
export type Request =
  /** To hear the question again. */
  | 'repeat'
  /** To know who is calling, or why. */
  | 'who'
  /** A moment to think. */
  | 'hold'
  /** To talk to a person. */
  | 'person';

/** Each beginning with each ending: "call me, ring me" and "back, on" make four phrases. */
function pairsOf(beginnings: string, endings: string): string {
  const pairs = beginnings
    .split(', ')
    .flatMap((beginning) => endings.split(', ').map((ending) => `${beginning} ${ending}`));
  return pairs.join(', ');
}

/** As people say it who want another call. */
const LATER_CALLS = [
  pairsOf(
    'call me, ring me, phone me, give me a call, give me a ring, give me a bell',
    'later, back, another time, some other time, tomorrow, today, tonight, again, next, this, after, around, in, on, at, ' +
      'when, anytime, any time',
  ),
  pairsOf('call, ring, phone', 'back, back later, again later'),
].join(', ');

const leavings = phraseTable<Leaving | null>([
  [
    'goodbye',
    'goodbye, good bye, bye, bye bye, i have to go, i got to go, gotta go, i must go, i need to go, hang up, ' +
      'hanging up, end the call, end this call',
  ],
  ['wrong_number', 'wrong number, wrong person'],
  [
    'later',
    `${LATER_CALLS}, call again tomorrow, try again later, try me later, ` +
      "i'm driving, i'm in a meeting, i'm at work, can't talk, can't speak",
  ],
  [null, "don't hang up, not hang up, not the wrong number, not wrong number"],
]);

const requests = phraseTable<Request>([
  [
    'repeat',
    'pardon, pardon me, what was that, what did you say, say that again, say it again, say again, repeat, ' +
      "come again, excuse me, can't hear, couldn't hear, didn't hear, didn't catch, didn't get that, " +
      "don't understand, didn't understand, don't hear, don't get that, can you hear me, speak up, " +
      'are you there',
  ],
  [
    'who',
    'who is this, who are you, who is calling, who is speaking, who is there, who am i speaking, ' +
      'who am i talking, who do i have, what company, where are you calling from, where are you from, ' +
      'what is this about, what is it about, why are you calling, what do you want, is this a robot, ' +
      'are you a robot, are you a machine, are you a computer, are you a person, are you human, are you real, ' +
      'is this a machine, is this a recording',
  ],
  [
    'hold',
    'hold on, hang on, one moment, one second, one minute, just a moment, just a second, just a minute, ' +
      'wait a moment, wait a second, wait a minute, give me a moment, give me a second, give me a minute, ' +
      'please hold, hold the line, stay on the line',
  ],
  [
    'person',
    'speak to a person, talk to a person, speak with a person, talk with a person, speak to a human, talk to a human, ' +
      'speak with a human, talk with a human, speak to someone, talk to someone, speak with someone, talk with someone, ' +
      'speak to somebody, talk to somebody, real person, a human being, speak to an agent, talk to an agent, ' +
      'speak with an agent, talk with an agent, speak to an operator, talk to an operator, speak with an operator, ' +
      'talk with an operator, operator, representative, human please, transfer me, put me through, connect me, ' +
      'speak to the manager, talk to the manager, speak with the manager, talk with the manager',
  ],
]);

/** Said before the talk has begun, or all that is said by someone who heard nothing: worth asking again, no more. */
const OPENING =
  /^(?:(?:hello|hi|hey|hallo|good (?:morning|afternoon|evening|day)|there|yes hello|what|sorry|huh|eh) ?)+$/;
/** How services that screen calls ask who is calling; at any length. */
const SCREENING =
  /\bscreening service\b|\b(?:say|state|record) your name\b|\breason for (?:calling|your call)\b/;
/** A longer utterance that contains such a phrase is about something else. */
const LONGEST_REQUEST_WORDS = 12;

/** The first of the phrases by which callers leave, with how. `later` is left out where it may be a message. */
export function leavingIn(
  words: readonly string[],
  options: { laterIsMessage: boolean },
): { meaning: Leaving; start: number; end: number } | undefined {
  // An opt-out is one wherever it stands in a sentence.
  if (isOptOutIn(words)) return { meaning: 'do_not_call', start: 0, end: words.length };
  const found = leavings
    .find(words)
    .flatMap(({ meaning, ...place }) => (meaning === null ? [] : [{ meaning, ...place }]));
  return found.find(({ meaning, start, end }) =>
    meaning === 'later'
      ? !options.laterIsMessage && isCallWished(words.slice(0, start), words.slice(start, end))
      : true,
  );
}

/** Whether somebody wants no more calls, whatever else they say and whatever they were asked. */
export function isOptOut(text: string): boolean {
  return isOptOutIn(wordsOf(text));
}

/** Nothing but "wait", which a question may also take for an answer; within more it changes one. */
const HOLDING = /^(?:(?:oh|no|please|wait|stop) )*(?:wait|stop)(?: please)?$/;

/** Whether somebody only wants not to be talked to just now: "wait, wait", "no, wait", "stop". */
export function isHolding(words: readonly string[]): boolean {
  return HOLDING.test(words.join(' '));
}

/** Said before an answer, and no more than a cough: "one second … Tuesday", "excuse me, Tuesday". */
const BEFORE_AN_ANSWER =
  /^(?:(?:just|please|oh|sorry|wait|and) )*(?:excuse me|pardon me|hold on|hang on|(?:give me )?(?:one|a) (?:moment|second|sec|minute))(?: please)? (?!let me|i |while|until|can|could|what|who|why)/;

/** The words behind somebody's asking for a moment, where they go on at once; null when they do not. */
export function behindHolding(words: readonly string[]): string | null {
  const said = words.join(' ');
  const rest = said.replace(BEFORE_AN_ANSWER, '').replace(/^please ?/, '');
  return rest === said || rest === '' ? null : rest;
}

/** What is asked for instead of an answer, if anything. */
export function requestIn(words: readonly string[]): Request | null {
  const text = words.join(' ');
  if (OPENING.test(text)) return 'repeat';
  if (SCREENING.test(text)) return 'who';
  return words.length <= LONGEST_REQUEST_WORDS ? (requests.find(words)[0]?.meaning ?? null) : null;
}
