import type { Transcript } from '#speech/stt.js';

/** A wish of the caller that is not left to the model. */
export type CallerWish =
  /** No words were recognised. */
  | 'unclear'
  /** No more calls, plainly. */
  | 'do_not_call'
  /** Perhaps no more calls: worth a question. */
  | 'perhaps_do_not_call'
  | 'goodbye'
  /** A goodbye after something that needs an answer. */
  | 'goodbye_after_answer'
  | 'wrong_number'
  | 'hold'
  | 'who'
  | 'person';

/** Sentences with which the agent answers such wishes, and silence. */
export type ControlSentence =
  | 'not_understood'
  | 'still_there'
  | 'cannot_hear'
  | 'nobody_there'
  | 'goodbye'
  | 'do_not_call'
  | 'wrong_number'
  | 'hold'
  | 'person'
  | 'not_connected'
  | 'returned'
  | 'connecting'
  | 'one_moment'
  | 'technical_problem'
  | 'ask_do_not_call';

/** The rules that apply to every call whatever its prompt says (port), for one call. */
export interface CallerControl {
  /** The caller's wish; null if the answer is the model's. */
  hear(heard: Transcript): CallerWish | null;
  /** True if speech that gets no answer forbids further calls. */
  forbidsCalls(heard: Transcript): boolean;
  /** The part of the last turn that could be heard before the turn was cut short. */
  interrupted(heard: string): void;
  /** The caller said nothing. */
  silence(): void;
  /** Returns a function that restores the present state. */
  bookmark(): () => void;
  say(sentence: ControlSentence): string;
}
