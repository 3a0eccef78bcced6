import type { StreamInstruction } from './carrier.js';

/** A step of call control, independent of the carrier. */
export type MarkupStep =
  /** Speaks a text with the carrier's voice. */
  | { kind: 'say'; text: string; language: string }
  /**
   * Streams the call's audio both ways over one of our sockets; the next step follows when it closes. `providerCallId`
   * identifies the call for carriers that do not send it themselves.
   */
  | { kind: 'stream'; stream: StreamInstruction; streamEndedUrl: string; providerCallId?: string | null }
  /** Connects the call to a number (a cold transfer). */
  | { kind: 'dial'; to: string; from: string }
  /** Refuses an unanswered call. Only as the single step. */
  | { kind: 'reject'; reason: 'busy' | 'rejected' }
  | { kind: 'hang_up' };

/** Steps in order; the call ends after the last one. */
export type CallMarkup = readonly MarkupStep[];
