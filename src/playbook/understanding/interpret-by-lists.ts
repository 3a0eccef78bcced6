import type { Transcript } from '#speech/stt.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import type { Language, SaidWish } from '#language/languages/language.js';
import { readMomentByLists, readValueByLists, saysOneOf } from '#playbook/values/values-by-lists.js';
import type { Interpretation, Reading } from './interpret.js';

/** How many other words may accompany a request that is all the utterance means. */
const MOST_BESIDE = 2;

/**
 * Reads an utterance by the word lists of a language that has no rules of its own. Deterministic. At open questions a
 * request counts only with few other words.
 */
export function interpretByLists(language: Language, heard: Transcript, reading: Reading): Interpretation {
  const { expectation } = reading;
  const wish = language.wishIn(heard.text);
  const asked = readsOwnPhrase(heard.text, reading)
    ? null
    : wish && meaningOf(wish, language, heard.text, reading);
  if (asked) return asked;
  const leaving = wish?.kind === 'goodbye' && (expectation.kind !== 'anything' || wish.isLast);
  const meaning = reading.pending
    ? readConfirmation(language, heard.text, reading)
    : readAnswer(language, heard.text, reading);
  if (meaning.kind === 'answer' || meaning.kind === 'confirmed') return { ...meaning, leaving };
  return leaving ? { kind: 'leaving', reason: 'goodbye', moment: null } : meaning;
}

/** The meaning of a request at this question; null if the utterance should be read as an answer. */
export function meaningOf(
  { kind, beside, wordsBeside, isLast }: SaidWish,
  language: Language,
  text: string,
  reading: Reading,
): Interpretation | null {
  const { expectation, now } = reading;
  const isFreeSpeech = expectation.kind === 'anything';
  const counts = wordsBeside <= MOST_BESIDE || !isFreeSpeech;
  switch (kind) {
    case 'do_not_call':
      return { kind: 'leaving', reason: 'do_not_call', moment: null };
    case 'wrong_number':
      return counts ? { kind: 'leaving', reason: 'wrong_number', moment: null } : null;
    case 'later': {
      const moment = readMomentByLists(language, text, now);
      return !isFreeSpeech || (counts && moment !== null)
        ? { kind: 'leaving', reason: 'later', moment }
        : null;
    }
    case 'goodbye':
      return isFreeSpeech && isLast && wordsBeside <= MOST_BESIDE
        ? { kind: 'leaving', reason: 'goodbye', moment: null }
        : null;
    case 'who':
    case 'person':
      return counts ? { kind } : null;
    case 'hold':
    case 'repeat': {
      // "Einen Moment … am Dienstag": an answer directly after the request counts instead.
      const value = isFreeSpeech ? null : readValueByLists(language, beside, expectation, reading);
      return counts && typeof value !== 'string' ? { kind } : null;
    }
    case 'perhaps_do_not_call':
      return null;
  }
}

/** True if the answer uses the question's own phrases, which may sound like a request. */
function readsOwnPhrase(text: string, { expectation }: Reading): boolean {
  if (expectation.kind === 'yes_no')
    return saysOneOf(text, [...(expectation.yes ?? []), ...(expectation.no ?? [])]);
  return expectation.kind === 'choice' && expectation.options.some(({ phrases }) => saysOneOf(text, phrases));
}

function readAnswer(language: Language, text: string, reading: Reading): Interpretation {
  const value = readValueByLists(language, text, reading.expectation, reading);
  if (value === NOT_POSSIBLE) return { kind: 'not_possible' };
  if (value !== null) return { kind: 'answer', value, leaving: false };
  const isUnsure = reading.takesUnsure === true && language.answerIn(text) === 'unsure';
  return isUnsure ? { kind: 'answer', value: 'unsure', leaving: false } : { kind: 'unclear' };
}

/** "Ja", "nein", or the right value, with or without a "no" before it. */
function readConfirmation(language: Language, text: string, reading: Reading): Interpretation {
  const { expectation, pending } = reading;
  const assent = language.answerIn(text);
  const isAssentAlone = assent !== null && language.wordsBesideAnswer(text) === 0;
  const isReadable = expectation.kind !== 'yes_no' && !isAssentAlone;
  const value = isReadable ? readValueByLists(language, text, expectation, reading) : null;
  if (value === pending) return { kind: 'confirmed', leaving: false };
  if (typeof value === 'string' && !(expectation.kind === 'anything' && assent !== null))
    return { kind: 'answer', value, leaving: false };
  if (assent === 'yes') return { kind: 'confirmed', leaving: false };
  if (assent === 'no') return { kind: 'denied' };
  return value === NOT_POSSIBLE ? { kind: 'not_possible' } : { kind: 'unclear' };
}

/** Reads an answer to an open question that is only yes or no; null otherwise. */
export function bareYesNoByLists(language: Language, text: string): 'yes' | 'no' | null {
  const answer = language.answerIn(text);
  return answer === 'unsure' || language.wordsBesideAnswer(text) > 1 ? null : answer;
}
