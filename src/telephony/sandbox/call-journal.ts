import type { Clock } from '#kernel/time/clock.js';
import { CarrierError, type CarrierStatus } from '#telephony/port/carrier.js';

/**
 * The call journal of the sandbox network: which calls it has dialled, and how they ended. It belongs to the simulated
 * network, not to the service: `Carrier.lookUp` answers from it, and tests read in it which phones really rang.
 */

/**
 * One line of the call journal. A call has a `dialled` line, and a line with its final status unless its process was
 * killed.
 */
export interface JournalLine {
  /** RFC 3339, UTC. */
  at: string;
  dialRef: string;
  /** E.164. */
  to: string;
  providerCallId: string;
  /** `dialled`, or the final status. */
  what: 'dialled' | CarrierStatus;
}

/** A call in the journal; `end` is its final status, null while the call lasts. */
export interface JournalCall {
  dialRef: string;
  to: string;
  providerCallId: string;
  end: CarrierStatus | null;
}

/** The conditions under which a call is recorded and may ring. */
export interface DialConditions {
  /** If false, an earlier call with the same reference is returned instead. */
  mayRepeat: boolean;
  /** From this instant on (epoch milliseconds) the call is refused. */
  sendBefore: number;
}

/** The error for a call after its deadline. */
export function lateError(): CarrierError {
  return new CarrierError('not_dialled', 'late', 'the request came too late to be sent');
}

/**
 * The journal of a network (port): in memory ({@link createMemoryJournal}) or in a file (`JournalFile`), which several
 * processes can share.
 */
export interface CallJournal {
  /**
   * Records a call that is about to ring; stored when this resolves. `isNew` is false for an earlier call with the same
   * reference, which must not ring again.
   * @throws CarrierError `late` if it could not be recorded in time
   */
  dial(
    call: Omit<JournalCall, 'end'>,
    conditions: DialConditions,
  ): Promise<{ call: JournalCall; isNew: boolean }>;
  /** Records the end of a call; stored later, at the latest when `close` resolves. */
  end(call: Omit<JournalCall, 'end'>, status: CarrierStatus): void;
  /** The first call of a reference; null if it was never dialled. */
  find(dialRef: string): Promise<JournalCall | null>;
  /** Resolves when all ends are stored. */
  close(): Promise<void>;
}

/** The most calls of the journal in memory; the oldest are dropped. */
const MAX_CALLS = 100_000;

/** Creates a journal in memory, for a sandbox network without a file. */
export function createMemoryJournal(clock: Clock): CallJournal {
  const calls = new Map<string, JournalCall>();
  return {
    async dial(call, { mayRepeat, sendBefore }) {
      const earlier = calls.get(call.dialRef);
      if (earlier && !mayRepeat) return { call: earlier, isNew: false };
      if (clock.wallMs() >= sendBefore) throw lateError();
      const recorded: JournalCall = { end: null, ...call };
      if (!earlier) calls.set(call.dialRef, recorded);
      for (const oldest of calls.keys()) {
        if (calls.size <= MAX_CALLS) break;
        calls.delete(oldest);
      }
      return { call: recorded, isNew: true };
    },
    end(call, status) {
      const dialled = calls.get(call.dialRef);
      if (dialled?.providerCallId === call.providerCallId) dialled.end = status;
    },
    find: async (dialRef) => calls.get(dialRef) ?? null,
    async close() {},
  };
}
