import type { Principal } from '#access/keys/principal.js';
import type { Moments } from '#calls/endings/moments.js';
import type { CallRow } from '#calls/record/call.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { ScheduleHandles } from '#schedules/schedule-handles.js';
import type { Store } from '#store/store.js';

/** Context of commands on handles. */
export interface HandleParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  moments: Moments;
  calls: {
    defaults: Pick<CallDefaults, 'fromNumber'>;
    disconnect(principal: Principal, id: string): Promise<unknown>;
  };
  /** Schedules share the paths of handles. */
  schedules: Pick<ScheduleHandles, 'knows' | 'find' | 'update' | 'remove'>;
  nudgeFeeder(at: number): void;
  /** Closes the open numbers of a finished batch. */
  closeOff(batchId: string): Promise<void>;
  nudgeDialler(at: number): void;
  /** Announces the end of a call that was ended here. */
  tellEnd(call: CallRow): void;
  settings: { defaultTimezone: string; rules: PolicyRules };
}
