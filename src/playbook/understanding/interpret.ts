import type { DateTime } from 'luxon';
import type { Language } from '#language/languages/language.js';
import type { Transcript } from '#speech/stt.js';
import { readChoice } from '#playbook/answers/choice.js';
import { readCorrection } from './correction.js';
import { hasOnlyFillersBeside } from './free-speech.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import {
  wordsAfterHold,
  isPauseRequest,
  leaveRequestIn,
  requestIn,
  type LeaveReason,
  type CallerRequest,
} from './requests.js';
import { readRetraction, type RetractableAnswer } from './retraction.js';
import { readDtmfKey } from '#playbook/values/read-dtmf-key.js';
import { readName } from '#playbook/values/read-name.js';
import { bareYesNoByLists, interpretByLists, meaningOf } from './interpret-by-lists.js';
import { readCallBackTime } from '#playbook/values/times/read-call-back-time.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { wordListLanguage } from '#playbook/values/spoken-language.js';
import { readValue, type ReadContext } from '#playbook/values/value.js';
import { findPhrase, wordsOf } from '#language/words.js';
import { isUndecided, readOwnPhrases, readYesNo } from '#playbook/answers/yes-no.js';

/** The meaning of an utterance as a reply to a question. `leaving`: the caller says goodbye in the same utterance. */
export type Interpretation =
  /** An answer, in the form of the API. */
  | { kind: 'answer'; value: string; leaving: boolean }
  /** The answer that was read back is right. */
  | { kind: 'confirmed'; leaving: boolean }
  /** The answer that was read back is wrong. */
  | { kind: 'denied' }
  /** A new answer to the question of this `name`; without a name to the previous question. */
  | { kind: 'correction'; value: string; name?: string; leaving?: boolean }
  /** The caller ends the call. `moment`: when the caller wants to be called; null if not said. */
  | { kind: 'leaving'; reason: LeaveReason; moment: DateTime | null }
  /** A request in place of an answer, such as to repeat the question. */
  | { kind: CallerRequest }
  /** An answer outside the question's limits. */
  | { kind: 'not_possible' }
  /** No meaning was found. */
  | { kind: 'unclear' };

/** The question that an utterance replies to, with the earlier answers that it may change. */
export interface QuestionContext extends ReadContext {
  expectation: PlaybookExpectation;
  /** The answer that was read back and waits for confirmation. */
  pending?: string | null;
  /** The expectation of the previous question; null if it was not answered. */
  earlier?: PlaybookExpectation | null;
  /** The answer to the previous question. */
  earlierValue?: string | null;
  /** The yes/no questions whose answers the caller may take back, the last one first. */
  retractable?: readonly RetractableAnswer[];
  /** True if a yes/no question accepts "maybe" as the answer `unsure`. */
  takesUnsure?: boolean;
  /** Utterances below this confidence (0 to 1) are not read. */
  minConfidence: number;
}

/**
 * Reads an utterance as a reply to a question. In English it is read in this order: as a request that an operator has
 * added, a wish to end the call, a yes or no taken back, another request, an answer (or a correction of the previous
 * answer). Other languages are read by their word lists. Deterministic. `PlaybookSession`, `TalkPerformer`,
 * `PlaybookCallerControl` and the opt-out question use it.
 */
export function interpret(heard: Transcript, question: QuestionContext): Interpretation {
  const words = wordsOf(heard.text);
  if (heard.text.trim() === '' || heard.confidence < question.minConfidence) return { kind: 'unclear' };
  const { expectation } = question;
  const lists = wordListLanguage(question);
  if (lists !== null) return interpretByLists(lists, heard, question);
  if (words.length === 0) return { kind: 'unclear' };
  // Phrases of requests that an operator has added to the rules for English (`LANGUAGES_DIR`).
  const added = question.language?.current.wishIn(heard.text);
  const wished = added && meaningOf(added, question.language!.current, heard.text, question);
  if (wished) return wished;
  const isFreeSpeech = expectation.kind === 'anything';
  // First: does the caller end the call?
  const phraseAnswer = ownAnswer(words, expectation);
  let namesCallBackTime: boolean | undefined;
  const found = leaveRequestIn(words, {
    isFreeSpeech,
    // Reading a time is slow, so it is done at most once, and only if needed.
    namesCallBackTime: () => (namesCallBackTime ??= readCallBackTime(heard.text, question.now) !== null),
    asked: { kind: expectation.kind, isReadBack: Boolean(question.pending) },
  });
  // The time is read from the request on: in "not now, call me tomorrow", "not" does not deny the day.
  const callBackWish = found?.meaning === 'later' ? words.slice(found.start).join(' ') : null;
  const moment =
    callBackWish &&
    (readCallBackTime(callBackWish, question.now) ?? readCallBackTime(heard.text, question.now));
  const leaveRequest = callBackWish !== null && onlyMentionsCalls(heard.text, question) ? undefined : found;
  if (leaveRequest && leaveRequest.meaning !== 'goodbye') {
    const isAnswer = phraseAnswer !== null && leaveRequest.meaning === 'later';
    // "I'm driving" may answer a question, and so may "call me back"; "call me back in an hour" asks for a call.
    if (isAnswer && !moment)
      return { kind: 'answer', value: phraseAnswer, leaving: expectation.kind === 'yes_no' };
    return { kind: 'leaving', reason: leaveRequest.meaning, moment: moment || null };
  }
  const retraction = readRetraction(heard.text, expectation, question, question.retractable ?? []);
  if (retraction) return { kind: 'correction', ...retraction, leaving: leaveRequest !== undefined };
  // Then: is there a request in place of an answer? `rest` has no goodbye.
  const rest = leaveRequest
    ? [...words.slice(0, leaveRequest.start), ...words.slice(leaveRequest.end)]
    : words;
  const wish = leaveRequest ? null : requestIn(rest, { isFreeSpeech });
  // "An agent" may answer "A person or an agent?".
  const mayBeOption = wish === 'person' && expectation.kind === 'choice';
  if (mayBeOption && readAnswer(heard.text, question).kind === 'answer')
    return readAnswer(heard.text, question);
  if (wish)
    return (wish === 'hold' || wish === 'repeat' ? answerAfterHold(rest, question) : null) ?? { kind: wish };
  // "Sorry, I have to go" is a goodbye without a message.
  if (leaveRequest && isFreeSpeech && hasOnlyFillersBeside(rest, []) && bareYesNo(rest.join(' ')) === null)
    return { kind: 'leaving', reason: 'goodbye', moment: null };
  // Last, the answer. A goodbye is cut out; without one the original text is read, because names need its punctuation.
  const said = leaveRequest ? rest.join(' ') : heard.text;
  const meaning = question.pending ? readConfirmation(said, question) : readAnswer(said, question);
  const isChosen = phraseAnswer !== null || (expectation.kind === 'choice' && meaning.kind === 'answer');
  // "Wait" and "stop" alone ask for a pause, unless they choose an option.
  if (isPauseRequest(rest) && !isChosen) return { kind: 'hold' };
  if (meaning.kind === 'answer' || meaning.kind === 'confirmed')
    return { ...meaning, leaving: leaveRequest !== undefined };
  return leaveRequest ? { kind: 'leaving', reason: 'goodbye', moment: null } : meaning;
}

/**
 * The answer by the question's own phrases. Of a choice, only phrases count that sound like a request: "call me back"
 * may be an option. Null without a phrase.
 */
function ownAnswer(words: readonly string[], expectation: PlaybookExpectation): string | null {
  if (expectation.kind === 'yes_no') return readOwnPhrases(words, expectation);
  if (expectation.kind !== 'choice') return null;
  const value = readChoice(words, expectation.options);
  const phrases = expectation.options.find((option) => option.value === value)?.phrases ?? [];
  const soundsLikeRequest = [value?.replaceAll('_', ' ') ?? '', ...phrases]
    .map(wordsOf)
    .some((phrase) => leaveRequestIn(phrase, { isFreeSpeech: false }) && findPhrase(words, phrase) >= 0);
  return soundsLikeRequest ? value : null;
}

/**
 * True if the words of a request for a later call belong to an answer: "call me on 415 …" to a question for a number,
 * "I am at work on Tuesday, so Wednesday" to a question for a day.
 */
function onlyMentionsCalls(text: string, { expectation, ...readContext }: QuestionContext): boolean {
  const isNumber = expectation.kind === 'phone_number';
  const isWhen = expectation.kind === 'date' || expectation.kind === 'time';
  if (!isNumber && !(isWhen && !/\b(?:call|(?:ring|phone) (?:me|back))\b/i.test(text))) return false;
  return typeof readValue(text, expectation, readContext) === 'string';
}

/** Kinds of answers that do not occur by accident after a request to wait. */
const UNMISTAKABLE_KINDS: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'yes_no',
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);

/** The answer directly after a request to wait or to repeat: "one second … Tuesday". Null without one. */
function answerAfterHold(words: readonly string[], question: QuestionContext): Interpretation | null {
  const rest = wordsAfterHold(words);
  if (rest === null || !UNMISTAKABLE_KINDS.has(question.expectation.kind)) return null;
  // "One minute to four" is a time: at questions for a time the whole utterance counts.
  const said = question.expectation.kind === 'time' ? words.join(' ') : rest;
  const meaning = question.pending ? readConfirmation(said, question) : readAnswer(said, question);
  const isAnswer = meaning.kind === 'answer' || meaning.kind === 'confirmed' || meaning.kind === 'correction';
  return isAnswer ? meaning : null;
}

/** Reads an answer to the question, or a correction of the answer to the previous one. */
function readAnswer(said: string, question: QuestionContext): Interpretation {
  const { expectation, earlier, earlierValue = null } = question;
  const correction = earlier
    ? readCorrection(said, earlier, { ...question, asked: null, changing: earlierValue })
    : null;
  if (correction?.isPlain) return { kind: 'correction', value: correction.value };
  if (correction && expectation.kind === 'yes_no') return { kind: 'correction', value: correction.value };
  const value = readValue(said, expectation, question);
  if (value === NOT_POSSIBLE) return { kind: 'not_possible' };
  if (value !== null) return { kind: 'answer', value, leaving: false };
  if (question.takesUnsure && isUndecided(wordsOf(said)))
    return { kind: 'answer', value: 'unsure', leaving: false };
  return correction ? { kind: 'correction', value: correction.value } : { kind: 'unclear' };
}

/** Kinds of answers that may look like a plain yes or no. */
const LOOKS_LIKE_ASSENT: ReadonlySet<PlaybookExpectation['kind']> = new Set(['name', 'anything', 'yes_no']);

/** Questions for another read-back: "right?", "is that correct?". "Yes, right?" confirms. */
const ASKED_BACK =
  /^\W*(?:(?:oh|so|and|um|uh|wait|sorry|is|was|that|that's|it|it's|this)\W+)*(?:right|correct)\s*\?\s*$/i;

/**
 * Reads the reply to a read-back: "yes", "no", or the right value, with or without a "no" before it; or a new answer to
 * the question before.
 */
function readConfirmation(said: string, question: QuestionContext): Interpretation {
  const { expectation, pending = null } = question;
  const readContext = { ...question, changing: pending };
  const corrected = readCorrection(said, expectation, readContext);
  if (ASKED_BACK.test(said)) return { kind: 'unclear' };
  if (corrected)
    return corrected.value === pending
      ? CONFIRMED
      : { kind: 'answer', value: corrected.value, leaving: false };
  const assent = readYesNo(wordsOf(said)) ?? readDtmfKey(said, ['yes', 'no']);
  const isAssent = LOOKS_LIKE_ASSENT.has(expectation.kind) && assent !== null;
  const value = isAssent ? nameBehindNo(said, expectation) : readValue(said, expectation, readContext);
  if (value === pending) return CONFIRMED;
  const before = value === null ? correctionBefore(said, question) : null;
  if (before !== null) return { kind: 'correction', value: before };
  if (value === NOT_POSSIBLE && assent === null) return { kind: 'not_possible' };
  if (typeof value === 'string') return { kind: 'answer', value, leaving: false };
  if (assent === 'yes') return CONFIRMED;
  return assent === 'no' ? { kind: 'denied' } : { kind: 'unclear' };
}

/** The new answer to the question before the one that is read back: "No, Wednesday" to "Tuesday at three, right?". */
function correctionBefore(said: string, question: QuestionContext): string | null {
  const { earlier, earlierValue = null } = question;
  const correction =
    earlier && readCorrection(said, earlier, { ...question, asked: null, changing: earlierValue });
  return correction && correction.value !== earlierValue ? correction.value : null;
}

/** The name after a "no": "no, Joan", "no, it's Joan". Null for other kinds of answers. */
function nameBehindNo(said: string, { kind }: PlaybookExpectation): string | null {
  if (kind !== 'name') return null;
  const words = wordsOf(said);
  if (words[0] === 'not') return readName(said);
  const rest = /^(?:(?:no|nope|sorry) )+(.+)$/.exec(words.join(' '))?.[1];
  return rest === undefined ? null : readName(rest);
}

/** The caller has confirmed the answer that was read back. */
const CONFIRMED: Interpretation = { kind: 'confirmed', leaving: false };

/** A longer reply to an open question is no bare yes or no. */
const LONGEST_BARE_ANSWER_WORDS = 5;

/**
 * The yes or no of a reply to an open question that says hardly more than that; null for any other reply.
 * @param lists the language of the call if it is read by word lists, else null
 */
export function bareYesNo(text: string, lists: Language | null = null): 'yes' | 'no' | null {
  if (lists !== null) return bareYesNoByLists(lists, text);
  const words = wordsOf(text);
  return words.length <= LONGEST_BARE_ANSWER_WORDS ? readYesNo(words) : null;
}
