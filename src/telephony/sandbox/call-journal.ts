import type { Clock } from '#kernel/time/clock.js';
import { CarrierError, type CarrierStatus } from '#telephony/port/carrier.js';

/** One line of the call journal. A call has exactly one `dialled` line, and one more at its end. */
export interface JournalLine {
  /** RFC 3339, UTC. */
  at: string;
  dialRef: string;
  /** E.164. */
  to: string;
  providerCallId: string;
  what: 'dialled' | CarrierStatus;
}

/** A call in the journal; `end` is null while it is not over. */
export interface JournalCall {
  dialRef: string;
  to: string;
  providerCallId: string;
  end: CarrierStatus | null;
}

/** Conditions of a dial entry. */
export interface DialTerms {
  /** If false, an earlier call with the same reference is returned instead. */
  mayRepeat: boolean;
  /** From this instant on (epoch milliseconds) the entry is refused. */
  sendBefore: number;
}

/** The error for an entry after its deadline. */
export function tooLate(): CarrierError {
  return new CarrierError('not_dialled', 'late', 'the request came too late to be sent');
}

/**
 * The network's journal of dialled calls. It belongs to the network, not to the service: tests read it to judge what
 * the service has done.
 */
export interface CallJournal {
  /**
   * Records a call about to ring; stored when this resolves.
   * @throws CarrierError `late` if it could not be recorded in time
   */
  dial(call: Omit<JournalCall, 'end'>, terms: DialTerms): Promise<{ call: JournalCall; isNew: boolean }>;
  /** Records the end of a call; stored later, at the latest when `close` resolves. */
  end(call: Omit<JournalCall, 'end'>, status: CarrierStatus): void;
  /** The first call of a reference. */
  find(dialRef: string): Promise<JournalCall | null>;
  close(): Promise<void>;
}

/** Capacity of the in-memory journal; the oldest calls are dropped. */
const REMEMBERED_CALLS = 100_000;

/** A journal in memory. */
export function createMemoryJournal(clock: Clock): CallJournal {
  const calls = new Map<string, JournalCall>();
  return {
    async dial(call, { mayRepeat, sendBefore }) {
      const earlier = calls.get(call.dialRef);
      if (earlier && !mayRepeat) return { call: earlier, isNew: false };
      if (clock.wallMs() >= sendBefore) throw tooLate();
      const entered: JournalCall = { end: null, ...call };
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
