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

const leavings = phraseTable<Leaving | null>([
  [
    'goodbye',
    'goodbye, good bye, bye, bye bye, i have to go, i got to go, gotta go, i must go, i need to go, hang up, ' +
      'hanging up, end the call, end this call',
  ],
  [
    'do_not_call',
    "stop calling, don't call me again, don't call again, don't call me anymore, don't call me any more, " +
      "don't call here again, don't call us again, don't call this number, don't ever call, never call, remove me, " +
      'remove my number, delete my number, take me off, take us off, take my number off, take my name off, ' +
      "remove my name, leave me alone, lose my number, unsubscribe, don't want any more calls, don't want these calls, " +
      "don't want your calls, don't want to be called again, don't want to be called anymore, don't want to be called any more, " +
      'no more calls, do not contact me, stop contacting me, opt out',
  ],
  ['wrong_number', 'wrong number, wrong person'],
  [
    'later',
    'call me later, call me back, call me another time, call me tomorrow, call me today, call me tonight, call back later, call again later, call back, ' +
      'call me again, call me in, call me on, call me at, call again tomorrow, call me next, call me this, ' +
      'call me after, call me around, try again later, try me later, ' +
      "i'm driving, i'm in a meeting, i'm at work, can't talk, can't speak",
  ],
  [
    null,
    "don't hang up, not hang up, not the wrong number, not wrong number, don't call me back, don't call back, " +
      "don't call me later, don't call me on, don't call me at, don't call me in, don't call me after, don't call me this, " +
      "don't call me today, don't call me tonight, don't call me tomorrow",
  ],
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

/** Said of calls in general, not of a time: "don't call me before nine" is something else. */
const NO_MORE_CALLS =
  /\b(?:not|never) call (?:me|us|here|this number)(?: please| again| ever| anymore| any more)*$/;

/** The first of the phrases by which callers leave, with how. `later` is left out where it may be a message. */
export function leavingIn(
  words: readonly string[],
  options: { laterIsMessage: boolean },
): { meaning: Leaving; start: number; end: number } | undefined {
  if (NO_MORE_CALLS.test(words.join(' '))) return { meaning: 'do_not_call', start: 0, end: words.length };
  const found = leavings
    .find(words)
    .flatMap(({ meaning, ...place }) => (meaning === null ? [] : [{ meaning, ...place }]));
  // An opt-out is one wherever it stands in a sentence.
  const optOut = found.find(({ meaning }) => meaning === 'do_not_call');
  return optOut ?? found.find(({ meaning }) => meaning !== 'later' || !options.laterIsMessage);
}

/** Whether somebody wants no more calls, whatever else they say and whatever they were asked. */
export function isOptOut(text: string): boolean {
  return leavingIn(wordsOf(text), { laterIsMessage: true })?.meaning === 'do_not_call';
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
