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
  /** An answer; `leaving`: the caller said goodbye with it. */
  | { kind: 'answer'; value: string; leaving: boolean }
  /** The read-back answer is right, or wrong. */
  | { kind: 'confirmed'; leaving: boolean }
  | { kind: 'denied' }
  /**
   * The answer to the previous question, or to that of this `name`, changes. `leaving`: the caller said goodbye with
   * it.
   */
  | { kind: 'correction'; value: string; name?: string; leaving?: boolean }
  /** The caller ends the call. `moment`: when they want to be called, if they said so. */
  | { kind: 'leaving'; reason: Leaving; moment: DateTime | null }
  | { kind: Request }
  /** An answer outside the question's limits. */
  | { kind: 'not_possible' }
  | { kind: 'unclear' };

/** What reading the next utterance needs. */
export interface Reading extends Surroundings {
  expectation: PlaybookExpectation;
  /** The answer that was read back and waits for confirmation. */
  pending?: string | null;
  /** What the previous question expected, if it was answered. */
  earlier?: PlaybookExpectation | null;
  /** The answer to the previous question. */
  earlierValue?: string | null;
  /** The answered yes/no questions, the last one first. */
  settled?: readonly Settled[];
  /** True if a yes/no question accepts "maybe". */
  takesUnsure?: boolean;
  /** Utterances below this confidence (0 to 1) are not read. */
  minConfidence: number;
}

/** Reads an utterance as a reply to a question. Deterministic. Below `minConfidence` the result is `unclear`. */
export function interpret(heard: Transcript, reading: Reading): Interpretation {
  const words = wordsOf(heard.text);
  if (heard.text.trim() === '' || heard.confidence < reading.minConfidence) return { kind: 'unclear' };
  const { expectation } = reading;
  const lists = listsOf(reading);
  if (lists !== null) return interpretByLists(lists, heard, reading);
  if (words.length === 0) return { kind: 'unclear' };
  // Requests that the operator has added to English.
  const added = reading.language?.current.wishIn(heard.text);
  const wished = added && meaningOf(added, reading.language!.current, heard.text, reading);
  if (wished) return wished;
  const isFreeSpeech = expectation.kind === 'anything';
  const own = ownAnswer(words, expectation);
  let namesMoment: boolean | undefined;
  const leaving = leavingIn(words, {
    isFreeSpeech,
    // Parsing a time is slow: done at most once, and only if needed.
    namesMoment: () => (namesMoment ??= readMoment(heard.text, reading.now) !== null),
    asked: { kind: expectation.kind, isSaidBack: Boolean(reading.pending) },
  });
  // "Not now, call me tomorrow": the words before the request do not deny its day.
  const wish = leaving?.meaning === 'later' ? words.slice(leaving.start).join(' ') : null;
  const moment = wish && (readMoment(wish, reading.now) ?? readMoment(heard.text, reading.now));
  const farewell = wish !== null && isAnswered(heard.text, reading) ? undefined : leaving;
  if (farewell && farewell.meaning !== 'goodbye') {
    const isOwn = own !== null && farewell.meaning === 'later';
    // "I'm driving" may answer a question, and so may "call me back"; "call me back in an hour" asks for a call.
    if (isOwn && !moment) return { kind: 'answer', value: own, leaving: expectation.kind === 'yes_no' };
    return { kind: 'leaving', reason: farewell.meaning, moment: moment || null };
  }
  const retraction = readRetraction(heard.text, expectation, reading, reading.settled ?? []);
  if (retraction) return { kind: 'correction', ...retraction, leaving: farewell !== undefined };
  const rest = farewell ? [...words.slice(0, farewell.start), ...words.slice(farewell.end)] : words;
  const asked = farewell ? null : requestIn(rest, { isFreeSpeech });
  // "An agent" may answer "A person or an agent?".
  const isOwnWord = asked === 'person' && expectation.kind === 'choice';
  if (isOwnWord && readAnswer(heard.text, reading).kind === 'answer') return readAnswer(heard.text, reading);
  if (asked)
    return (asked === 'hold' || asked === 'repeat' ? answerBehind(rest, reading) : null) ?? { kind: asked };
  // "Sorry, I have to go" is a goodbye without a message.
  if (farewell && isFreeSpeech && isSaidAlone(rest, []) && bareYesNo(rest.join(' ')) === null)
    return { kind: 'leaving', reason: 'goodbye', moment: null };
  // The utterance without a goodbye at its end; without a goodbye, the original text with its punctuation.
  const said = farewell ? rest.join(' ') : heard.text;
  const meaning = reading.pending ? readConfirmation(said, reading) : readAnswer(said, reading);
  const isChosen = own !== null || (expectation.kind === 'choice' && meaning.kind === 'answer');
  if (isHolding(rest) && !isChosen) return { kind: 'hold' };
  if (meaning.kind === 'answer' || meaning.kind === 'confirmed')
    return { ...meaning, leaving: farewell !== undefined };
  return farewell ? { kind: 'leaving', reason: 'goodbye', moment: null } : meaning;
}

/** An answer in the question's own phrases, which is then no request: "call me back" may be one of its options. */
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

/** True if an answer only mentions calls: "call me on 415 …", "I am at work on Tuesday, so Wednesday". */
function isAnswered(text: string, { expectation, ...surroundings }: Reading): boolean {
  const isNumber = expectation.kind === 'phone_number';
  const isWhen = expectation.kind === 'date' || expectation.kind === 'time';
  if (!isNumber && !(isWhen && !/\b(?:call|(?:ring|phone) (?:me|back))\b/i.test(text))) return false;
  return typeof readValue(text, expectation, surroundings) === 'string';
}

/** Kinds of questions whose answers do not occur by accident in a request to wait. */
const ANSWERED_AT_ONCE: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'yes_no',
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);

/** "One second … Tuesday": an answer directly after the request to wait. */
function answerBehind(words: readonly string[], reading: Reading): Interpretation | null {
  const rest = behindHolding(words);
  if (rest === null || !ANSWERED_AT_ONCE.has(reading.expectation.kind)) return null;
  // "One minute to four" is a time: at questions for a time the whole utterance counts.
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

/** Kinds of answers that may look like a plain yes or no. */
const LOOKS_LIKE_ASSENT: ReadonlySet<PlaybookExpectation['kind']> = new Set(['name', 'anything', 'yes_no']);

/** "Right?", "is that correct?" ask to hear the value again; "yes, right?" confirms it. */
const ASKED_BACK =
  /^\W*(?:(?:oh|so|and|um|uh|wait|sorry|is|was|that|that's|it|it's|this)\W+)*(?:right|correct)\s*\?\s*$/i;

/** "Yes", "no", or the right value, with or without a "no" before it. */
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

/** "So that is Tuesday at three?" "No, Wednesday": the answer before the one read back changes. */
function correctionBefore(said: string, reading: Reading): string | null {
  const { earlier, earlierValue = null } = reading;
  const correction =
    earlier && readCorrection(said, earlier, { ...reading, asked: null, changing: earlierValue });
  return correction && correction.value !== earlierValue ? correction.value : null;
}

/** "No, Joan", "no, it's Joan": a name after the "no". */
function nameBehindNo(said: string, { kind }: PlaybookExpectation): string | null {
  if (kind !== 'name') return null;
  const words = wordsOf(said);
  if (words[0] === 'not') return readName(said);
  const rest = /^(?:(?:no|nope|sorry) )+(.+)$/.exec(words.join(' '))?.[1];
  return rest === undefined ? null : readName(rest);
}

const confirmed: Interpretation = { kind: 'confirmed', leaving: false };

/** At open questions, a longer utterance than this is no bare yes or no. */
const LONGEST_BARE_ANSWER_WORDS = 5;

/**
 * Reads an answer to an open question that is only yes or no; null otherwise.
 * @param lists the language of the call if it is read by word lists, else null
 */
export function bareYesNo(text: string, lists: Language | null = null): 'yes' | 'no' | null {
  if (lists !== null) return bareYesNoByLists(lists, text);
  const words = wordsOf(text);
  return words.length <= LONGEST_BARE_ANSWER_WORDS ? readYesNo(words) : null;
}
