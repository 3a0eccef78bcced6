import type { StatusWord, WantedStatus } from '#schedules/record/status-words.js';
import type { Principal } from '#access/keys/principal.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { CallRow } from '#calls/record/call.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import type { Store } from '#store/store.js';

/** A time as written, and its instant. */
export interface WantedTime {
  written: string;
  at: number;
  /** The zone named with it or in which it was read; null or absent for an instant. */
  readIn?: string | null;
}

/** A requested change of a handle; absent fields stay. */
export interface HandleChange {
  name?: string | undefined;
  from?: string | undefined;
  time?: WantedTime | undefined;
  /** The named zone, for this time and later ones; batches keep it. */
  zone?: string | undefined;
  status?: { word: StatusWord; wanted: WantedStatus } | undefined;
}

/** True if the request closes the call: a time in the same request then calls no finished number again. */
export function isClosing({ status }: HandleChange): boolean {
  return status?.wanted === 'cancelled' || status?.wanted === 'completed';
}

/** Steps after the transaction: a call to hang up. */
export interface FollowUp {
  hangUp: string | null;
}

/** Context of commands on handles. */
export interface HandleContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  txContexts: TxContexts;
  calls: {
    defaults: Pick<CallDefaults, 'fromNumber'>;
    disconnect(principal: Principal, id: string): Promise<unknown>;
  };
  /** Schedules share the paths of handles. */
  schedules: Pick<ScheduleHandles, 'knows' | 'find' | 'update' | 'remove'>;
  wakeDispatcher(at: number): void;
  /** Closes the open numbers of a finished batch. */
  closeOff(batchId: string): Promise<void>;
  wakeDialler(at: number): void;
  /** Announces the end of a call that was ended here. */
  tellEnd(call: CallRow): void;
  settings: { defaultTimezone: string; planningHorizonDays: number; rules: PolicyRules };
}
