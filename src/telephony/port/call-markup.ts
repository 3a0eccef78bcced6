import type { StreamInstruction } from './carrier.js';

/**
 * A step of call-control markup (what a carrier shall do with a call), independent of the carrier.
 * `CarrierWebhookDispatcher` composes it; each carrier's codec writes it in the carrier's format, such as TwiML.
 */
export type MarkupStep =
  /** Speaks a text with the carrier's voice, in a language (BCP 47). */
  | { kind: 'say'; text: string; language: string }
  /**
   * Streams the call's audio both ways over a socket of the service; the next step follows when it closes.
   * `providerCallId` identifies the call for carriers that do not send it themselves.
   */
  | { kind: 'stream'; stream: StreamInstruction; streamEndedUrl: string; providerCallId?: string | null }
  /** Connects the call to another number (a cold transfer); `from` is the caller id. */
  | { kind: 'dial'; to: string; from: string }
  /** Refuses an unanswered call. Only as the single step. */
  | { kind: 'reject'; reason: 'busy' | 'rejected' }
  /** Ends the call. */
  | { kind: 'hang_up' };

/** The instructions for a call: steps in order. The call ends after the last step. */
export type CallMarkup = readonly MarkupStep[];
