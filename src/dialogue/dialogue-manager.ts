import type { CountryCode } from 'libphonenumber-js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { RecognitionHints, Transcript } from '#speech/stt.js';
import type { Outcome } from './outcome.js';

/** The reason for one turn of the agent, and its input. */
export type TurnInput =
  /** The conversation begins: the agent's first turn. */
  | { kind: 'opening' }
  /** The caller said something. */
  | { kind: 'heard'; transcript: Transcript }
  /** The caller is silent; `prompts` counts the prompts in a row, from 1. */
  | { kind: 'silence'; prompts: number }
  /** A transfer failed: the transfer that ended the last turn, or a transfer that an operator requested since. */
  | { kind: 'transfer_failed' }
  /** The person on the other line has hung up, and the agent continues. */
  | { kind: 'returned' }
  /**
   * The silence was so long that the call ends: the agent's last words. If the caller speaks before hearing them, the
   * conversation continues with `interrupted` (nothing heard), `taken_back`, and a turn for the caller's words.
   */
  | { kind: 'goodbye' };

/** A transfer to a person who is called on a second line and asked first; the caller is on hold meanwhile. */
export interface WarmTransfer {
  /** What the person hears about the call first; null for the text of {@link DialogueManager.sumUp}. */
  briefing: string | null;
  /** Longest ringing of the person's phone, in seconds. */
  ringSeconds: number;
  /** True if the agent continues when the person hangs up; otherwise the call ends then. */
  stay: boolean;
}

/** The target of a transfer. */
export interface TransferTarget {
  /** E.164. */
  to: string;
  /** Null or missing: a cold transfer, which ends the conversation. */
  warm?: WarmTransfer | null;
}

/** Ringing of the person's phone in a warm transfer, in seconds: the default and the limits of the setting. */
export const DEFAULT_RING_SECONDS = 20;
export const LEAST_RING_SECONDS = 5;
export const MOST_RING_SECONDS = 120;

/** One output of the agent's turn; a turn is a stream of outputs, carried out in order. */
export type DialogueOutput =
  /** Whole sentences. `interruptible: false` is spoken to the end, whatever the caller says. */
  | { kind: 'say'; text: string; interruptible: boolean }
  /**
   * A piece of streamed text, of any length: consecutive pieces are one text. Speaking starts with the first clause,
   * before the text is complete. The text ends with the next output of another kind, or with the turn.
   */
  | { kind: 'text_delta'; text: string; interruptible: boolean }
  /** Speaks the streamed text so far, because more comes only after a while, for example after a tool's answer. */
  | { kind: 'flush' }
  /** Listens for an answer; ends the turn. */
  | { kind: 'listen'; hints: RecognitionHints }
  /**
   * Connects the caller with this number (E.164) once everything before was played; ends the turn. A cold transfer ends
   * the conversation too. With `warm` the conversation goes on without the agent, and may return to it. A failure
   * causes a turn with `transfer_failed`.
   */
  | ({ kind: 'transfer' } & TransferTarget)
  /**
   * On the line of a person called for a warm transfer: joins it with the caller's line; ends the turn. If the caller
   * has left, a turn with `transfer_failed` follows.
   */
  | { kind: 'join' }
  /** Sends DTMF keys (0-9, A-D, *, #, `w` for half a second) once this turn was played. */
  | { kind: 'press'; keys: string }
  /**
   * Hangs up once everything before was played; `Outcome.followUp` says what comes after the call. With `error` the
   * agent cannot continue, and the call has failed.
   */
  | { kind: 'end'; error?: Error };

/** Events between turns, and during the caller's turn; a dialogue manager ignores those that do not concern it. */
export type DialogueEvent =
  /**
   * The caller is speaking, and `words` are the partial transcript; with `hasPaused` they may be all, and a reply may
   * be prepared. The final words come with the turn. Sent only while the agent listens.
   */
  | { kind: 'hearing'; words: string; hasPaused: boolean }
  /**
   * The last turn was cut short: `heard` is the part that the caller could have heard, empty for none. Sent before the
   * next turn is requested. A dialogue history must keep only these words of the turn.
   */
  | { kind: 'interrupted'; heard: string }
  /**
   * The last turn answered only half of the caller's words, and was not heard. Sent after `interrupted`; the next turn
   * is for all of the words, as if the last turn had not happened.
   */
  | { kind: 'taken_back' }
  /**
   * The caller said something that no turn answers, for example over the agent's goodbye, over a sentence that cannot
   * be interrupted, or to an operator. A do-not-call request in it still takes effect.
   */
  | { kind: 'overheard'; transcript: Transcript }
  /** The caller's last words, transcribed after the end of the call: they count as an answer without a reply. */
  | { kind: 'last_words'; transcript: Transcript }
  /**
   * A call-screening service has answered: its next words are not a person's reply, and the person who follows has not
   * heard the agent. Sent before those words.
   */
  | { kind: 'screened' }
  /** An operator said this in the agent's place, or made the agent say it. */
  | { kind: 'said_for_agent'; text: string }
  /** An operator's note to the agent, which the caller does not hear. */
  | { kind: 'advised'; text: string };

/**
 * Decides what the agent says on one call (port). `LiveConversation` requests its turns. Playbooks and language models
 * implement it; all implementations pass `test/contracts/dialogue-manager`.
 */
export interface DialogueManager {
  /**
   * Decides one turn; only one runs at a time. Aborting drops the turn: no output follows, and work with effects that
   * has begun is finished in the background. A turn without outputs has no answer to its input.
   */
  turn(input: TurnInput, signal: AbortSignal): AsyncIterable<DialogueOutput>;
  /** True if the manager uses advice, as a language model does. */
  readonly takesAdvice?: boolean;
  /** Receives events in the order in which they happen; returns at once. */
  note(event: DialogueEvent): void;
  /** Sums the conversation up for a person who takes it over; null, or missing, without a language model. */
  sumUp?(signal: AbortSignal): Promise<string | null>;
  /** The outcome of the call so far. */
  outcome(): Outcome;
  /** The call is over: releases the manager's resources. */
  close?(): void;
}

/**
 * The agent and the call that a dialogue manager is made for; variables in the texts are not filled in yet. The calls
 * module makes it when a call is answered, and the providers module makes the dialogue manager from it.
 */
export interface AgentBrief {
  agentName: string;
  initialMessage: string;
  systemPrompt: string | null;
  /** The tag of the agent's language. */
  language: string;
  /** The language of the call, which may change; `language` if missing. */
  spoken?: CallLanguage;
  /** Values for `{{name}}` in texts: customer_data and customer_context merged, and the facts of the call. */
  variables: Readonly<Record<string, string>>;
  /** IANA zone of the caller's "tomorrow" and "at three"; the service's own if missing. */
  timeZone?: string;
  /** Country whose phone numbers are said as they are dialled there; without it the service's own. */
  region?: CountryCode | null;
  /** Whether the caller's number is known; default true. Without a number, a call back must not be promised. */
  isReachable?: boolean;
}
