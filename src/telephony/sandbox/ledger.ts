import type { Clock } from '#kernel/time/clock.js';
import { CarrierError, type CarrierStatus } from '#telephony/port/carrier.js';

/** One line of the ledger. A call has exactly one `dialled` line, and one more when it is over. */
export interface LedgerLine {
  /** RFC 3339, UTC. */
  at: string;
  dialRef: string;
  /** E.164. */
  to: string;
  providerCallId: string;
  what: 'dialled' | CarrierStatus;
}

/** A call as the ledger knows it; `end` is null while nothing says that it is over. */
export interface LedgerCall {
  dialRef: string;
  to: string;
  providerCallId: string;
  end: CarrierStatus | null;
}

/** On what terms a phone is made to ring. */
export interface DialTerms {
  /** When false, a reference that was dialled before is not entered again: the earlier call is given back. */
  mayRepeat: boolean;
  /** From this instant on (epoch milliseconds) it is not entered any more. */
  sendBefore: number;
}

/** What came when its time was over. */
export function tooLate(): CarrierError {
  return new CarrierError('not_dialled', 'late', 'the request came too late to be sent');
}

/**
 * The network's own book of the phones it made ring. It belongs to the network, not to the service: a test reads it
 * to judge what the service has really done.
 */
export interface Ledger {
  /**
   * Enters a phone that is about to ring; the line is kept when this resolves.
   * @throws CarrierError `late` when it was asked for in time but could not be entered in time
   */
  dial(call: Omit<LedgerCall, 'end'>, terms: DialTerms): Promise<{ call: LedgerCall; isNew: boolean }>;
  /** Enters how a call ended; it is kept some time later, at the latest when `close` resolves. */
  end(call: Omit<LedgerCall, 'end'>, status: CarrierStatus): void;
  /** The first call that was dialled for a reference. */
  find(dialRef: string): Promise<LedgerCall | null>;
  close(): Promise<void>;
}

/** How many calls a ledger without a file remembers; older ones are forgotten first. */
const REMEMBERED_CALLS = 100_000;

/** A ledger that lives and dies with the network. */
export function createMemoryLedger(clock: Clock): Ledger {
  const calls = new Map<string, LedgerCall>();
  return {
    async dial(call, { mayRepeat, sendBefore }) {
      const earlier = calls.get(call.dialRef);
      if (earlier && !mayRepeat) return { call: earlier, isNew: false };
      if (clock.wallMs() >= sendBefore) throw tooLate();
      const entered: LedgerCall = { end: null, ...call };
      if (!earlier) calls.set(call.dialRef, entered);
      for (const oldest of calls.keys()) {
        if (calls.size <= REMEMBERED_CALLS) break;
        calls.delete(oldest);
      }
      return { call: entered, isNew: true };
    },
    end(call, status) {
      const known = calls.get(call.dialRef);
      if (known?.providerCallId === call.providerCallId) known.end = status;
    },
    find: async (dialRef) => calls.get(dialRef) ?? null,
    async close() {},
  };
}
