import type { CountryCode } from 'libphonenumber-js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { Outcome } from './outcome.js';

/** What a dialogue manager is asked for one turn of the agent about. */
export type TurnInput =
  /** The talk begins: the agent opens it. */
  | { kind: 'opening' }
  /** The caller said something. */
  | { kind: 'heard'; transcript: Transcript }
  /** The caller says nothing. `prompts` counts how often that happened in a row, from 1. */
  | { kind: 'silence'; prompts: number }
  /** A transfer could not be made: that which ended the turn before, or one that a person has asked for meanwhile. */
  | { kind: 'transfer_failed' }
  /** The person whom the caller was connected with has hung up, and the agent goes on. */
  | { kind: 'returned' }
  /**
   * The caller has said nothing for so long that the call ends: the agent's last words to them. If they speak before
   * these are heard, the talk goes on: `interrupted` with nothing heard, `taken_back`, and a turn for what they said.
   */
  | { kind: 'goodbye' };

/** A transfer to a person who is called on a second line and asked first; the caller is on hold until then. */
export interface WarmTransfer {
  /** What the person is told of the talk; null for what {@link DialogueManager.sumUp} makes of it. */
  briefing: string | null;
  /** How long their phone may ring. */
  ringSeconds: number;
  /** The agent goes on with the caller when the person has hung up; else the call ends then. */
  stay: boolean;
}

/** With whom a caller is to be connected. */
export interface TransferTarget {
  /** E.164. */
  to: string;
  /** Null, or missing: the caller is handed over at once, and the talk is over. */
  warm?: WarmTransfer | null;
}

/** How long the phone of a person rings who is asked first. */
export const USUAL_RING_SECONDS = 20;
export const LEAST_RING_SECONDS = 5;
export const MOST_RING_SECONDS = 120;

/** One step of the agent's turn; a stream of them makes the turn. */
export type DialogueOutput =
  /** Whole sentences. `interruptible: false` speaks to the end whatever the caller does. */
  | { kind: 'say'; text: string; interruptible: boolean }
  /**
   * A piece of text as it arrives, of any length: pieces in a row are one text. It is spoken from its first clause on,
   * before the rest is there, and ends with the next step that is none, or with the turn.
   */
  | { kind: 'text_delta'; text: string; interruptible: boolean }
  /** What was said so far is spoken to its end now: the turn goes on after a while, such as when a tool answers. */
  | { kind: 'flush' }
  /** Listens for an answer; ends the turn. */
  | { kind: 'listen'; hints: RecognitionHints }
  /**
   * Connects the caller with this number (E.164) once everything said before has been played; ends the turn, and the
   * talk. Where it cannot be done, a turn is asked for with `transfer_failed`. With `warm` the talk goes on without the
   * agent, and may come back to it.
   */
  | ({ kind: 'transfer' } & TransferTarget)
  /**
   * Joins this line with that of the caller whom it was called for, as a transfer does: the turn is over, and
   * where that caller is gone, one is asked for with `transfer_failed`.
   */
  | { kind: 'join' }
  /** Presses keys on our side of the line (0-9, A-D, *, #, `w` for half a second) once this turn was played. */
  | { kind: 'press'; keys: string }
  /**
   * Hangs up once everything said before has been played; `Outcome.followUp` says what comes after that. `error`: why
   * the agent cannot go on; the call has failed then.
   */
  | { kind: 'end'; error?: Error };

/** What happened beside the turns; a dialogue manager passes over what does not concern it. */
export type DialogueEvent =
  /**
   * The caller is speaking, and `words` were understood so far; with `hasPaused` they may be all, and a reply may be
   * prepared. The words that count come with the turn. Told only while the agent listens.
   */
  | { kind: 'hearing'; words: string; hasPaused: boolean }
  /**
   * The turn before was cut short: `heard` is all of it that the caller could have heard, empty for nothing. Told
   * before the next turn is asked for. A history replaces its own words by these.
   */
  | { kind: 'interrupted'; heard: string }
  /**
   * The turn before answered half of what the caller had to say, and none of it was heard. Told after `interrupted`;
   * the next turn is for the whole, that half included, and as if this turn had never been.
   */
  | { kind: 'taken_back' }
  /**
   * The caller said something that no turn answers: over the agent's goodbye, or over a sentence that cannot be
   * interrupted. What it forbids counts all the same.
   */
  | { kind: 'overheard'; transcript: Transcript }
  /** The caller's last words came when the call was already over: they count as an answer that gets no reply. */
  | { kind: 'last_words'; transcript: Transcript }
  /**
   * A call-screening service has picked up: its next words are no reply of a person, and the person who comes after it
   * has heard nothing of the agent. Told before those words are.
   */
  | { kind: 'screened' }
  /** A person has said this in the agent's place, or had the agent say it. */
  | { kind: 'said_for_agent'; text: string }
  /** A person tells the agent something that the caller does not hear. */
  | { kind: 'advised'; text: string };

/**
 * Decides what the agent says (port), for one call. A playbook is one, a language model is another; all pass
 * `test/contracts/dialogue-manager`.
 */
export interface DialogueManager {
  /**
   * Decides one turn. Only one turn runs at a time. Aborting drops it: nothing more is decided, and work with effects
   * that has begun is finished behind it. A turn that yields nothing has nothing to say to its input.
   */
  turn(input: TurnInput, signal: AbortSignal): AsyncIterable<DialogueOutput>;
  /** Whether advice changes anything: a language model reads it. */
  readonly takesAdvice?: boolean;
  /** Told in the order in which things happen; returns at once. */
  note(event: DialogueEvent): void;
  /** Sums the talk up for a person who is to take it over; null, or missing, where no language model can. */
  sumUp?(signal: AbortSignal): Promise<string | null>;
  /** What came of the call so far. */
  outcome(): Outcome;
  /** The call is over: lets go of what the manager holds. */
  close?(): void;
}

/** What every dialogue manager knows of its agent and call; texts have no variables filled in yet. */
export interface AgentBrief {
  agentName: string;
  initialMessage: string;
  systemPrompt: string | null;
  /** The tag of its language. */
  language: string;
  /** The language of the call, which may change; `language` where it is not said. */
  spoken?: CallLanguage;
  /** For `{{name}}` in texts: customer_data and customer_context merged, and what the call has learnt. */
  variables: Readonly<Record<string, string>>;
  /** IANA zone in which the caller's "tomorrow" and "at three" are meant; without it the service's own. */
  timeZone?: string;
  /** Country whose phone numbers are said as they are dialled there; without it the service's own. */
  region?: CountryCode | null;
  /** Whether the caller's number is known. A caller who hides it is promised no call; default true. */
  isReachable?: boolean;
}
