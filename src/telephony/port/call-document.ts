import type { StreamInstruction } from './carrier.js';

/** What a carrier shall do with a call: our own words for what every carrier's call control can say. */
export type CallStep =
  /** Speaks a text with the carrier's own voice. */
  | { kind: 'say'; text: string; language: string }
  /**
   * Sends the call's audio both ways over a socket of ours; what follows is done once that is closed. `providerCallId`:
   * whose audio, for carriers that do not say so themselves.
   */
  | { kind: 'stream'; stream: StreamInstruction; streamEndedUrl: string; providerCallId?: string | null }
  /** Connects the call with a number (a cold transfer). */
  | { kind: 'dial'; to: string; from: string }
  /** Refuses a call without answering it. Only as the first and only step. */
  | { kind: 'reject'; reason: 'busy' | 'rejected' }
  | { kind: 'hang_up' };

/** Steps, one after the other; the call ends after the last one. */
export type CallDocument = readonly CallStep[];
