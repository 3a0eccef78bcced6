import type { DateTime } from 'luxon';
import type { Language } from '#language/languages/language.js';
import type { Transcript } from '#speech/stt.js';
import { readChoice } from '#playbook/answers/choice.js';
import { readCorrection } from './correction.js';
import { isSaidAlone } from './free-speech.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { behindHolding, isHolding, leavingIn, requestIn, type Leaving, type Request } from './requests.js';
import { readRetraction, type Settled } from './retraction.js';
import { readKey } from '#playbook/values/read-key.js';
import { readName } from '#playbook/values/read-name.js';
import { bareYesNoByLists, interpretByLists, meaningOf } from './interpret-by-lists.js';
import { readMoment } from '#playbook/values/times/read-moment.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { listsOf } from '#playbook/values/spoken-language.js';
import { readValue, type Surroundings } from '#playbook/values/value.js';
import { findPhrase, wordsOf } from '#language/words.js';
import { isUndecided, readOwnPhrases, readYesNo } from '#playbook/answers/yes-no.js';

/** What an utterance means to a question. */
export type Interpretation =
  /** An answer; `leaving` when the caller said goodbye with it. */
  | { kind: 'answer'; value: string; leaving: boolean }
  /** The answer that was said back is right, or it is not. */
  | { kind: 'confirmed'; leaving: boolean }
  | { kind: 'denied' }
  /**
   * The answer to the question before is another one, or that to the question of this `name`; `leaving` when the caller
   * said goodbye with it.
   */
  | { kind: 'correction'; value: string; name?: string; leaving?: boolean }
  /** `moment`: when they want to be called, where they say so. */
  | { kind: 'leaving'; reason: Leaving; moment: DateTime | null }
  | { kind: Request }
  /** An answer that the question does not take. */
  | { kind: 'not_possible' }
  | { kind: 'unclear' };

/** What has to be known of a talk to read the next utterance. */
export interface Reading extends Surroundings {
  expectation: PlaybookExpectation;
  /** The answer that was said back and waits for a yes. */
  pending?: string | null;
  /** What the question before asked for, when it was answered. */
  earlier?: PlaybookExpectation | null;
  /** That answer. */
  earlierValue?: string | null;
  /** The questions of yes or no that were answered before, the last one first. */
  settled?: readonly Settled[];
  /** Whether a question of yes or no takes "maybe" for an answer. */
  takesUnsure?: boolean;
  /** Below this confidence (0 to 1) nothing is read into it. */
  minConfidence: number;
}

/** Reads an utterance by what was hoped for. Deterministic; below `minConfidence` nothing is read into it. */
export function interpret(heard: Transcript, reading: Reading): Interpretation {
  const words = wordsOf(heard.text);
  if (heard.text.trim() === '' || heard.confidence < reading.minConfidence) return { kind: 'unclear' };
  const { expectation } = reading;
  const lists = listsOf(reading);
  if (lists !== null) return interpretByLists(lists, heard, reading);
  if (words.length === 0) return { kind: 'unclear' };
  // What operators have added to English.
  const added = reading.language?.current.wishIn(heard.text);
  const wished = added && meaningOf(added, reading.language!.current, heard.text, reading);
  if (wished) return wished;
  const isFreeSpeech = expectation.kind === 'anything';
  const own = ownAnswer(words, expectation);
  let namesMoment: boolean | undefined;
  const leaving = leavingIn(words, {
    isFreeSpeech,
    // Reading a moment takes long, so it is done once, and only where it matters.
    namesMoment: () => (namesMoment ??= readMoment(heard.text, reading.now) !== null),
    asked: { kind: expectation.kind, isSaidBack: Boolean(reading.pending) },
  });
  // "Not now, call me tomorrow": what comes before the wish does not deny its day.
  const wish = leaving?.meaning === 'later' ? words.slice(leaving.start).join(' ') : null;
  const moment = wish && (readMoment(wish, reading.now) ?? readMoment(heard.text, reading.now));
  const farewell = wish !== null && isAnswered(heard.text, reading) ? undefined : leaving;
  if (farewell && farewell.meaning !== 'goodbye') {
    const isOwn = own !== null && farewell.meaning === 'later';
    // "I'm driving" may answer a question, and so may "call me back"; "call me back in an hour" wants the call.
    if (isOwn && !moment) return { kind: 'answer', value: own, leaving: expectation.kind === 'yes_no' };
    return { kind: 'leaving', reason: farewell.meaning, moment: moment || null };
  }
  const retraction = readRetraction(heard.text, expectation, reading, reading.settled ?? []);
  if (retraction) return { kind: 'correction', ...retraction, leaving: farewell !== undefined };
  const rest = farewell ? [...words.slice(0, farewell.start), ...words.slice(farewell.end)] : words;
  const asked = farewell ? null : requestIn(rest, { isFreeSpeech });
  // "An agent", to "A person or an agent?".
  const isOwnWord = asked === 'person' && expectation.kind === 'choice';
  if (isOwnWord && readAnswer(heard.text, reading).kind === 'answer') return readAnswer(heard.text, reading);
  if (asked)
    return (asked === 'hold' || asked === 'repeat' ? answerBehind(rest, reading) : null) ?? { kind: asked };
  // "Sorry, I have to go": there is no message beside the goodbye.
  if (farewell && isFreeSpeech && isSaidAlone(rest, []) && bareYesNo(rest.join(' ')) === null)
    return { kind: 'leaving', reason: 'goodbye', moment: null };
  // What was said, without a goodbye at its end. Without one it is taken as it was written, marks included.
  const said = farewell ? rest.join(' ') : heard.text;
  const meaning = reading.pending ? readConfirmation(said, reading) : readAnswer(said, reading);
  const isChosen = own !== null || (expectation.kind === 'choice' && meaning.kind === 'answer');
  if (isHolding(rest) && !isChosen) return { kind: 'hold' };
  if (meaning.kind === 'answer' || meaning.kind === 'confirmed')
    return { ...meaning, leaving: farewell !== undefined };
  return farewell ? { kind: 'leaving', reason: 'goodbye', moment: null } : meaning;
}

/** An answer in words of the question's own that are no leaving to it: "call me back" may be one of its choices. */
function ownAnswer(words: readonly string[], expectation: PlaybookExpectation): string | null {
  if (expectation.kind === 'yes_no') return readOwnPhrases(words, expectation);
  if (expectation.kind !== 'choice') return null;
  const value = readChoice(words, expectation.options);
  const phrases = expectation.options.find((option) => option.value === value)?.phrases ?? [];
  const isSaid = [value?.replaceAll('_', ' ') ?? '', ...phrases]
    .map(wordsOf)
    .some((phrase) => leavingIn(phrase, { isFreeSpeech: false }) && findPhrase(words, phrase) >= 0);
  return isSaid ? value : null;
}

/** Whether a later call is only spoken of in an answer: "call me on 415 …", "I am at work on Tuesday, so Wednesday". */
function isAnswered(text: string, { expectation, ...surroundings }: Reading): boolean {
  const isNumber = expectation.kind === 'phone_number';
  const isWhen = expectation.kind === 'date' || expectation.kind === 'time';
  if (!isNumber && !(isWhen && !/\b(?:call|(?:ring|phone) (?:me|back))\b/i.test(text))) return false;
  return typeof readValue(text, expectation, surroundings) === 'string';
}

/** Questions whose answers nobody gives by accident while asking for a moment. */
const ANSWERED_AT_ONCE: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'yes_no',
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);

/** "One second … Tuesday": the answer, where there is one at once. */
function answerBehind(words: readonly string[], reading: Reading): Interpretation | null {
  const rest = behindHolding(words);
  if (rest === null || !ANSWERED_AT_ONCE.has(reading.expectation.kind)) return null;
  // "One minute to four" is a time: the whole of it counts, where it is one.
  const whole = reading.expectation.kind === 'time' ? words.join(' ') : rest;
  const meaning = reading.pending ? readConfirmation(whole, reading) : readAnswer(whole, reading);
  const isAnswer = meaning.kind === 'answer' || meaning.kind === 'confirmed' || meaning.kind === 'correction';
  return isAnswer ? meaning : null;
}

function readAnswer(said: string, reading: Reading): Interpretation {
  const { expectation, earlier, earlierValue = null } = reading;
  const correction = earlier
    ? readCorrection(said, earlier, { ...reading, asked: null, changing: earlierValue })
    : null;
  if (correction?.isPlain) return { kind: 'correction', value: correction.value };
  if (correction && expectation.kind === 'yes_no') return { kind: 'correction', value: correction.value };
  const value = readValue(said, expectation, reading);
  if (value === NOT_POSSIBLE) return { kind: 'not_possible' };
  if (value !== null) return { kind: 'answer', value, leaving: false };
  if (reading.takesUnsure && isUndecided(wordsOf(said)))
    return { kind: 'answer', value: 'unsure', leaving: false };
  return correction ? { kind: 'correction', value: correction.value } : { kind: 'unclear' };
}

/** Kinds of answer whose words may also be those of a plain yes or no. */
const LOOKS_LIKE_ASSENT: ReadonlySet<PlaybookExpectation['kind']> = new Set(['name', 'anything', 'yes_no']);

/** "Right?", "is that correct?": who asks wants to hear it once more; "yes, right?" has agreed to what was heard. */
const ASKED_BACK =
  /^\W*(?:(?:oh|so|and|um|uh|wait|sorry|is|was|that|that's|it|it's|this)\W+)*(?:right|correct)\s*\?\s*$/i;

/** "Yes", "no", or the right answer, with or without a no before it. */
function readConfirmation(said: string, reading: Reading): Interpretation {
  const { expectation, pending = null } = reading;
  const surroundings = { ...reading, changing: pending };
  const corrected = readCorrection(said, expectation, surroundings);
  if (ASKED_BACK.test(said)) return { kind: 'unclear' };
  if (corrected)
    return corrected.value === pending
      ? confirmed
      : { kind: 'answer', value: corrected.value, leaving: false };
  const assent = readYesNo(wordsOf(said)) ?? readKey(said, ['yes', 'no']);
  const isAssent = LOOKS_LIKE_ASSENT.has(expectation.kind) && assent !== null;
  const value = isAssent ? nameBehindNo(said, expectation) : readValue(said, expectation, surroundings);
  if (value === pending) return confirmed;
  const before = value === null ? correctionBefore(said, reading) : null;
  if (before !== null) return { kind: 'correction', value: before };
  if (value === NOT_POSSIBLE && assent === null) return { kind: 'not_possible' };
  if (typeof value === 'string') return { kind: 'answer', value, leaving: false };
  if (assent === 'yes') return confirmed;
  return assent === 'no' ? { kind: 'denied' } : { kind: 'unclear' };
}

/** "So that is Tuesday at three?" "No, Wednesday": the answer before the one that is said back is another one. */
function correctionBefore(said: string, reading: Reading): string | null {
  const { earlier, earlierValue = null } = reading;
  const correction =
    earlier && readCorrection(said, earlier, { ...reading, asked: null, changing: earlierValue });
  return correction && correction.value !== earlierValue ? correction.value : null;
}

/** "No, Joan", "no, it's Joan": a name that is not just part of the no. */
function nameBehindNo(said: string, { kind }: PlaybookExpectation): string | null {
  if (kind !== 'name') return null;
  const words = wordsOf(said);
  if (words[0] === 'not') return readName(said);
  const rest = /^(?:(?:no|nope|sorry) )+(.+)$/.exec(words.join(' '))?.[1];
  return rest === undefined ? null : readName(rest);
}

const confirmed: Interpretation = { kind: 'confirmed', leaving: false };

/** The most words of a bare yes or no where anything may be said: more than that is an answer of its own. */
const LONGEST_BARE_ANSWER_WORDS = 5;

/**
 * Whether an answer to an open question is nothing but yes or no.
 * @param lists the language that is spoken, where it is read by its lists
 */
export function bareYesNo(text: string, lists: Language | null = null): 'yes' | 'no' | null {
  if (lists !== null) return bareYesNoByLists(lists, text);
  const words = wordsOf(text);
  return words.length <= LONGEST_BARE_ANSWER_WORDS ? readYesNo(words) : null;
}
