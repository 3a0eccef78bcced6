import type { Transcript } from '#speech/stt.js';
import { heardOf, NOT_UNDERSTOOD, type SpokenWord } from './confidence.js';

/** What turns an answer into a no. */
const DENIAL =
  /(?:^| )(?:no|nope|nah|not|never|neither|cannot|unfortunately|afraid|unable|wrong|incorrect|impossible|decline|refuse|cancel|reschedule|[a-z]+n't)(?: |$)/;

/** A clear yes before "I can" settles what the rest may sound like. */
const CLEAR_YES =
  /^(?:(?:uh|um|oh|well|hi|hello) )*(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|exactly|indeed|tocounts|okay|right|correct|alright)(?: |$)/;
/**
 * Before "do" or "come" an unstressed "can" is short, and "can't" is a long "can" whose t nobody hears. Of four
 * synthetic voices no "I can do that" had a longer one, and no "I can't do that" a shorter one.
 */
const LONGEST_CAN_SECONDS = 0.27;

/** Nobody pauses within "it does" or "this is": where a silence lies there, other sounds were taken for them. */
const LEAST_PAUSE_SECONDS = 0.1;
const SUBJECT = /^(?:it|this|that|i)$/;
const VERB = /^(?:am|is|does|do|did|was|will|would|can|works|sounds)$/;

/** Line noise begins like the f of "fine": what is heard behind it is hardly ever a yes, unless it goes with it. */
const NOISE_AS_FINE =
  /^(?:(?:uh|um|oh|well|hi|hello) )*fine (?!(?:with|by|for|then|thanks|thank|please)(?: |$))/;
/** "I can't come" is "I confirm" to it. */
const COME_AS_CONFIRM = /^(?:i|we) confirm(?: |$)/;
/** Those two are believed from here on. */
const CLEAR_CONFIDENCE = 0.6;

/**
 * {@link heardOf} for answers to a question of yes or no: what may as well have been the opposite was not understood.
 * Who is taken for having agreed to what they refused is worse off than who is asked again.
 */
export function assentOf(alignment: readonly SpokenWord[]): Transcript {
  const heard = heardOf(alignment);
  const parts = alignment
    .filter(({ t }) => t !== '(NULL)')
    .map((part) => ({ ...part, t: part.t.replace(/\(\d+\)$/, '') }));
  const isDoubtful = isDenial(heard.text) ? isDoubtfulNo(parts, heard) : isDoubtfulYes(parts, heard);
  return isDoubtful ? NOT_UNDERSTOOD : heard;
}

/** Whether there is a word in it that makes a no of an answer. */
export function isDenial(text: string): boolean {
  return DENIAL.test(text);
}

/** "I can't come", with nothing to tell it from "I can come" but a t and the length of one word. */
function isDoubtfulNo(parts: readonly SpokenWord[], { text }: Transcript): boolean {
  const at = parts.findIndex(({ t }) => t === "can't");
  if (at < 0 || isDenial(text.replace("can't", ''))) return false;
  return !parts.slice(at + 1).every(isSilence) && parts[at]!.d <= LONGEST_CAN_SECONDS;
}

function isDoubtfulYes(parts: readonly SpokenWord[], { text, confidence }: Transcript): boolean {
  if (confidence < CLEAR_CONFIDENCE && (NOISE_AS_FINE.test(text) || COME_AS_CONFIRM.test(text))) return true;
  return parts.some(
    (_, at) => isBrokenOff(parts.slice(at)) || (!CLEAR_YES.test(text) && isLikeCant(parts.slice(at))),
  );
}

function isBrokenOff([subject, pause, verb]: readonly SpokenWord[]): boolean {
  if (!subject || !pause || !verb || !isSilence(pause)) return false;
  return SUBJECT.test(subject.t) && pause.d >= LEAST_PAUSE_SECONDS && VERB.test(verb.t);
}

function isLikeCant([subject, can, ...rest]: readonly SpokenWord[]): boolean {
  if (!subject || can?.t !== 'can' || !/^(?:i|we)$/.test(subject.t)) return false;
  // At the end of a sentence every "can" is long.
  return rest.every(isSilence) || can.d > LONGEST_CAN_SECONDS;
}

function isSilence({ t }: SpokenWord): boolean {
  return /^[<[]/.test(t);
}
