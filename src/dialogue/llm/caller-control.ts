import type { Transcript } from '#speech/stt.js';

/**
 * A meaning of the caller's words that the service itself recognises, not the model. It also replies to it, except for
 * `goodbye_after_answer`, to which the model replies.
 */
export type CallerWish =
  /** No words were recognised. */
  | 'unclear'
  /** A certain request for no more calls. */
  | 'do_not_call'
  /** Perhaps a request for no more calls: the agent asks back. */
  | 'perhaps_do_not_call'
  | 'goodbye'
  /** A goodbye after something that needs an answer: the model gives it and then takes leave. */
  | 'goodbye_after_answer'
  | 'wrong_number'
  /** The caller asks the agent to wait. */
  | 'hold'
  /** The caller asks who is calling. */
  | 'who'
  /** The caller wants to talk with a person. */
  | 'person';

/** The fixed sentences of an agent with a model, in every language of the service. */
export type ControlSentence =
  | 'not_understood'
  /** The first prompt to a silent caller. */
  | 'still_there'
  /** The later prompts to a silent caller. */
  | 'cannot_hear'
  /** The goodbye to a caller who stays silent. */
  | 'nobody_there'
  | 'goodbye'
  | 'do_not_call'
  | 'wrong_number'
  | 'hold'
  /** No person can be reached. */
  | 'person'
  /** A transfer failed. */
  | 'not_connected'
  /** The person on the other line has left, and the agent continues. */
  | 'returned'
  /** Said before a transfer. */
  | 'connecting'
  /** The filler during a wait. */
  | 'one_moment'
  /** Said before the call ends because of a failure. */
  | 'technical_problem'
  /** Asks whether the caller wants no more calls. */
  | 'ask_do_not_call';

/**
 * Port for one call: recognises the caller's wishes that no prompt can overrule, and has the fixed sentences for them.
 * The playbook module implements it; `ModelDialogue` and `RealtimeDialogue` use it.
 */
export interface CallerControl {
  /** Takes words of the caller; returns the wish in them, null if the model is to answer. */
  hear(heard: Transcript): CallerWish | null;
  /** True if these words alone forbid further calls: for words said over the agent, after which nothing is asked. */
  forbidsCalls(heard: Transcript): boolean;
  /** The last turn was cut short: `heard` is the part that the caller could have heard. */
  interrupted(heard: string): void;
  /** The caller said nothing. */
  silence(): void;
  /** Returns a function that restores the present state, for a turn that is taken back. */
  bookmark(): () => void;
  /** The text of a sentence in the language of the call. */
  say(sentence: ControlSentence): string;
}
