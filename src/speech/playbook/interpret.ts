import type { Heard } from '../hearing.js';
import { readChoice } from './choice.js';
import { phraseTable } from './phrases.js';
import type { PlaybookExpectation } from './playbook-step.js';
import { wordsOf } from './words.js';
import { readOwnPhrases, readYesNo } from './yes-no.js';

/** Why a caller wants the call to be over. */
export type Leaving = 'goodbye' | 'later' | 'do_not_call' | 'wrong_number';

/** What an utterance means to a question. */
export type Interpretation =
  /** An answer; `leaving` when the caller said goodbye with it. */
  | { kind: 'answer'; value: string; leaving: boolean }
  | { kind: 'leaving'; reason: Leaving }
  /** The caller wants to hear the question again. */
  | { kind: 'repeat' }
  /** The caller wants to know who is calling, or why. */
  | { kind: 'who' }
  /** The caller needs a moment. */
  | { kind: 'hold' }
  | { kind: 'unclear' };

const leavings = phraseTable<Leaving | null>([
  [
    'goodbye',
    'goodbye, good bye, bye, bye bye, i have to go, i got to go, gotta go, i must go, i need to go, hang up, ' +
      'hanging up, end the call, end this call',
  ],
  [
    'do_not_call',
    "stop calling, don't call me again, don't call again, don't call me anymore, don't call me any more, " +
      "don't call here again, don't ever call, never call, remove me, remove my number, delete my number, " +
      'take me off, take my number off, leave me alone, lose my number, unsubscribe',
  ],
  ['wrong_number', 'wrong number, wrong person'],
  [
    'later',
    'call me later, call me back, call me another time, call me tomorrow, call back later, call again later, ' +
      "i'm driving, i'm in a meeting, i'm at work, can't talk, can't speak",
  ],
  [null, "don't hang up, not hang up, not the wrong number, not wrong number"],
]);

const requests = phraseTable<'repeat' | 'who' | 'hold'>([
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
      'wait a moment, wait a second, wait a minute, give me a moment, give me a second, give me a minute',
  ],
]);

/** Said before the talk has begun, or all that is said by someone who heard nothing: worth asking again, no more. */
const OPENING =
  /^(?:(?:hello|hi|hey|hallo|good (?:morning|afternoon|evening|day)|there|yes hello|what|sorry|huh|eh) ?)+$/;
/** A longer utterance that contains such a phrase is about something else. */
const LONGEST_REQUEST_WORDS = 12;

/** Said of calls in general, not of a time: "don't call me before nine" is something else. */
const NO_MORE_CALLS =
  /\b(?:not|never) call (?:me|us|here|this number)(?: please| again| ever| anymore| any more)*$/;

/** Reads an utterance by what was hoped for. Deterministic; below `minConfidence` nothing is read into it. */
export function interpret(
  heard: Heard,
  expectation: PlaybookExpectation,
  minConfidence: number,
): Interpretation {
  const words = wordsOf(heard.text);
  if (words.length === 0 || heard.confidence < minConfidence) return { kind: 'unclear' };
  const own = expectation.kind === 'yes_no' ? readOwnPhrases(words, expectation) : null;
  const farewell = farewellIn(words, expectation);
  if (farewell && farewell.meaning !== 'goodbye') {
    if (own && farewell.meaning === 'later') return { kind: 'answer', value: own, leaving: true };
    return { kind: 'leaving', reason: farewell.meaning };
  }
  const rest = farewell ? [...words.slice(0, farewell.start), ...words.slice(farewell.end)] : words;
  const asked = requestIn(rest);
  if (asked && !farewell) return { kind: asked };
  const value = readAnswer(rest, heard.text, expectation);
  if (value !== null) return { kind: 'answer', value, leaving: farewell !== undefined };
  return farewell ? { kind: 'leaving', reason: 'goodbye' } : { kind: 'unclear' };
}

/** How the caller wants to leave, if at all. Where anything may be said, "call me back" is a message. */
function farewellIn(words: readonly string[], expectation: PlaybookExpectation) {
  if (NO_MORE_CALLS.test(words.join(' '))) {
    return { meaning: 'do_not_call' as const, start: 0, end: words.length };
  }
  for (const { meaning, start, end } of leavings.find(words)) {
    if (meaning === null || (meaning === 'later' && expectation.kind === 'anything')) continue;
    return { meaning, start, end };
  }
  return undefined;
}

function requestIn(words: readonly string[]): 'repeat' | 'who' | 'hold' | null {
  if (OPENING.test(words.join(' '))) return 'repeat';
  return words.length <= LONGEST_REQUEST_WORDS ? (requests.find(words)[0]?.meaning ?? null) : null;
}

function readAnswer(words: readonly string[], text: string, expectation: PlaybookExpectation): string | null {
  if (expectation.kind === 'yes_no') return readYesNo(words, expectation);
  if (expectation.kind === 'choice') return readChoice(words, expectation.options);
  return words.length > 0 && !/^(?:thanks|thank you|ok thanks|okay thank you)$/.test(words.join(' '))
    ? text.trim()
    : null;
}

/** The most words of a bare yes or no where anything may be said: more than that is an answer of its own. */
const LONGEST_BARE_ANSWER_WORDS = 5;

/** Whether an answer to an open question is nothing but yes or no. */
export function bareYesNo(text: string): 'yes' | 'no' | null {
  const words = wordsOf(text);
  return words.length <= LONGEST_BARE_ANSWER_WORDS ? readYesNo(words) : null;
}
