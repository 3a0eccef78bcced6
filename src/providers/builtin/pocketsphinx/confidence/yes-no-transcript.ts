import type { Transcript } from '#speech/stt.js';
import { grammarTranscript, NOT_UNDERSTOOD, type AlignedWord } from './confidence.js';

/**
 * The transcript of an answer to a yes/no question. The engine's grammar forces sounds into a yes or a no, so answers
 * that may as well mean the opposite are rejected here.
 */

/** Words that make an answer a no; the last alternative is any contraction such as "won't". */
const DENIAL_WORDS =
  /(?:^| )(?:no|nope|nah|not|never|neither|cannot|unfortunately|afraid|unable|wrong|incorrect|impossible|decline|refuse|cancel|reschedule|[a-z]+n't)(?: |$)/;

/** A clear yes at the beginning: an "I can" that may be an "I can't" does not change it. */
const CLEAR_YES =
  /^(?:(?:uh|um|oh|well|hi|hello) )*(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|exactly|indeed|totally|okay|right|correct|alright)(?: |$)/;
/**
 * Before "do" or "come" an unstressed "can" is short, while "can't" is recognised as a long "can" with an inaudible t.
 * With four synthetic voices no "I can do that" had a longer one, and no "I can't do that" a shorter one.
 */
const LONGEST_CAN_SECONDS = 0.27;

/** Speakers do not pause within "it does" or "this is": a silence there means that other sounds were misrecognised. */
const LEAST_PAUSE_SECONDS = 0.1;
const SUBJECT = /^(?:it|this|that|i)$/;
const VERB = /^(?:am|is|does|do|did|was|will|would|can|works|sounds)$/;

/**
 * Line noise sounds like the f of "fine": a "fine" with other words after it than "with me" and the like is doubtful.
 */
const NOISE_AS_FINE =
  /^(?:(?:uh|um|oh|well|hi|hello) )*fine (?!(?:with|by|for|then|thanks|thank|please)(?: |$))/;
/** The engine recognises "I can't come" as "I confirm". */
const COME_AS_CONFIRM = /^(?:i|we) confirm(?: |$)/;
/** From this confidence on, "fine …" and "I confirm" are accepted as they are. */
const CLEAR_CONFIDENCE = 0.6;

/**
 * {@link grammarTranscript} for yes/no questions: an answer that may as well mean the opposite counts as not
 * understood. Asking again is better than taking a refusal for consent. Grammars of yes/no questions use it
 * (`grammar.ts`).
 */
export function yesNoTranscript(alignment: readonly AlignedWord[]): Transcript {
  const transcript = grammarTranscript(alignment);
  const parts = alignment
    .filter(({ t }) => t !== '(NULL)')
    .map((part) => ({ ...part, t: part.t.replace(/\(\d+\)$/, '') }));
  const isDoubtful = hasDenial(transcript.text)
    ? isDoubtfulNo(parts, transcript)
    : isDoubtfulYes(parts, transcript);
  return isDoubtful ? NOT_UNDERSTOOD : transcript;
}

/** True if a word of the text makes an answer a no. */
export function hasDenial(text: string): boolean {
  return DENIAL_WORDS.test(text);
}

/**
 * True for an "I can't come" that may be an "I can come": only a t and the length of one word distinguish them. Another
 * word of denial in the answer, or a "can't" at its end, removes the doubt.
 */
function isDoubtfulNo(parts: readonly AlignedWord[], { text }: Transcript): boolean {
  const at = parts.findIndex(({ t }) => t === "can't");
  if (at < 0 || hasDenial(text.replace("can't", ''))) return false;
  const endsWithCant = parts.slice(at + 1).every(isSilence);
  return !endsWithCant && parts[at]!.d <= LONGEST_CAN_SECONDS;
}

/** True if a yes may be line noise, a misheard "I can't come", words around a broken-off sound, or an "I can't". */
function isDoubtfulYes(parts: readonly AlignedWord[], { text, confidence }: Transcript): boolean {
  if (confidence < CLEAR_CONFIDENCE && (NOISE_AS_FINE.test(text) || COME_AS_CONFIRM.test(text))) return true;
  return parts.some(
    (_, at) =>
      hasPauseBeforeVerb(parts.slice(at)) || (!CLEAR_YES.test(text) && soundsLikeCant(parts.slice(at))),
  );
}

/** True for a subject and its verb with a silence between them. */
function hasPauseBeforeVerb([subject, pause, verb]: readonly AlignedWord[]): boolean {
  if (!subject || !pause || !verb || !isSilence(pause)) return false;
  return SUBJECT.test(subject.t) && pause.d >= LEAST_PAUSE_SECONDS && VERB.test(verb.t);
}

/** True for an "I can" that is as long as an "I can't". */
function soundsLikeCant([subject, can, ...rest]: readonly AlignedWord[]): boolean {
  if (!subject || can?.t !== 'can' || !/^(?:i|we)$/.test(subject.t)) return false;
  // At the end of a sentence every "can" is long.
  return rest.every(isSilence) || can.d > LONGEST_CAN_SECONDS;
}

function isSilence({ t }: AlignedWord): boolean {
  return /^[<[]/.test(t);
}
