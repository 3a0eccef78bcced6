import type { Transcript } from '#speech/stt.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import type { Language, FoundWish } from '#language/languages/language.js';
import {
  readCallBackTimeByLists,
  readValueByLists,
  containsOneOf,
} from '#playbook/values/values-by-lists.js';
import type { Interpretation, QuestionContext } from './interpret.js';

/** With more other words than this, a request in free speech is part of a message. */
const MAX_OTHER_WORDS = 2;

/**
 * Reads an utterance as a reply to a question, by the word lists of a language other than English. `interpret` calls
 * it. Deterministic. At open questions most requests count only with few other words.
 */
export function interpretByLists(
  language: Language,
  heard: Transcript,
  question: QuestionContext,
): Interpretation {
  const { expectation } = question;
  const wish = language.wishIn(heard.text);
  const requestMeaning = usesOwnPhrase(heard.text, question)
    ? null
    : wish && meaningOf(wish, language, heard.text, question);
  if (requestMeaning) return requestMeaning;
  const leaving = wish?.kind === 'goodbye' && (expectation.kind !== 'anything' || wish.isLast);
  const meaning = question.pending
    ? readConfirmation(language, heard.text, question)
    : readAnswer(language, heard.text, question);
  if (meaning.kind === 'answer' || meaning.kind === 'confirmed') return { ...meaning, leaving };
  return leaving ? { kind: 'leaving', reason: 'goodbye', moment: null } : meaning;
}

/**
 * The meaning of a request (`wishes` of the language) at this question; null if the utterance should be read as an
 * answer. Also used for requests that an operator adds to English.
 */
export function meaningOf(
  { kind, rest, otherWords, isLast }: FoundWish,
  language: Language,
  text: string,
  question: QuestionContext,
): Interpretation | null {
  const { expectation, now } = question;
  const isFreeSpeech = expectation.kind === 'anything';
  const counts = otherWords <= MAX_OTHER_WORDS || !isFreeSpeech;
  switch (kind) {
    case 'do_not_call':
      return { kind: 'leaving', reason: 'do_not_call', moment: null };
    case 'wrong_number':
      return counts ? { kind: 'leaving', reason: 'wrong_number', moment: null } : null;
    case 'later': {
      const moment = readCallBackTimeByLists(language, text, now);
      return !isFreeSpeech || (counts && moment !== null)
        ? { kind: 'leaving', reason: 'later', moment }
        : null;
    }
    case 'goodbye':
      // At other questions an answer may stand beside the goodbye: `interpretByLists` reads both.
      return isFreeSpeech && isLast && otherWords <= MAX_OTHER_WORDS
        ? { kind: 'leaving', reason: 'goodbye', moment: null }
        : null;
    case 'who':
    case 'person':
      return counts ? { kind } : null;
    case 'hold':
    case 'repeat': {
      // "Einen Moment … am Dienstag": an answer directly after the request counts instead.
      const value = isFreeSpeech ? null : readValueByLists(language, rest, expectation, question);
      return counts && typeof value !== 'string' ? { kind } : null;
    }
    case 'perhaps_do_not_call':
      return null;
  }
}

/** True if the answer uses the question's own phrases, which may sound like a request. */
function usesOwnPhrase(text: string, { expectation }: QuestionContext): boolean {
  if (expectation.kind === 'yes_no')
    return containsOneOf(text, [...(expectation.yes ?? []), ...(expectation.no ?? [])]);
  return (
    expectation.kind === 'choice' && expectation.options.some(({ phrases }) => containsOneOf(text, phrases))
  );
}

/** Reads the answer to the question itself. */
function readAnswer(language: Language, text: string, question: QuestionContext): Interpretation {
  const value = readValueByLists(language, text, question.expectation, question);
  if (value === NOT_POSSIBLE) return { kind: 'not_possible' };
  if (value !== null) return { kind: 'answer', value, leaving: false };
  const isUnsure = question.takesUnsure === true && language.answerIn(text) === 'unsure';
  return isUnsure ? { kind: 'answer', value: 'unsure', leaving: false } : { kind: 'unclear' };
}

/** Reads the reply to a read-back: "ja", "nein", or the right value, with or without a "no" before it. */
function readConfirmation(language: Language, text: string, question: QuestionContext): Interpretation {
  const { expectation, pending } = question;
  const assent = language.answerIn(text);
  const isAssentAlone = assent !== null && language.wordsBesideAnswer(text) === 0;
  const isReadable = expectation.kind !== 'yes_no' && !isAssentAlone;
  const value = isReadable ? readValueByLists(language, text, expectation, question) : null;
  if (value === pending) return { kind: 'confirmed', leaving: false };
  if (typeof value === 'string' && !(expectation.kind === 'anything' && assent !== null))
    return { kind: 'answer', value, leaving: false };
  if (assent === 'yes') return { kind: 'confirmed', leaving: false };
  if (assent === 'no') return { kind: 'denied' };
  return value === NOT_POSSIBLE ? { kind: 'not_possible' } : { kind: 'unclear' };
}

/** The yes or no of a reply to an open question that has at most one other word; null for any other reply. */
export function bareYesNoByLists(language: Language, text: string): 'yes' | 'no' | null {
  const answer = language.answerIn(text);
  return answer === 'unsure' || language.wordsBesideAnswer(text) > 1 ? null : answer;
}
