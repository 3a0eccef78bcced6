import type { Transcript } from '#speech/stt.js';

/** What a caller wants that is not the model's to decide. */
export type CallerWish =
  /** Nothing was understood. */
  | 'unclear'
  /** No more calls, plainly. */
  | 'do_not_call'
  /** Perhaps no more calls: worth a question. */
  | 'perhaps_do_not_call'
  | 'goodbye'
  /** A goodbye behind something that wants an answer. */
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

/** The rules that are in force in every call whatever a prompt says (port), for one call. */
export interface CallerControl {
  /** What the caller wants; null where the answer is the model's. */
  hear(heard: Transcript): CallerWish | null;
  /** Whether something that gets no answer forbids further calls. */
  forbidsCalls(heard: Transcript): boolean;
  /** What could be heard of the turn before, which was cut short. */
  interrupted(heard: string): void;
  /** The caller said nothing. */
  silence(): void;
  /** Gives back how to return to where it stands now. */
  bookmark(): () => void;
  say(sentence: ControlSentence): string;
}
