import type { CallBacks } from '#calls/endings/call-backs.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { callBackTransactions } from './call-back-store.js';

/**
 * Creates the port by which the calls module ends a call and plans the call-back that was agreed in it. A call-back is
 * a one-time schedule: the scheduler makes the call when it is due, and the policy is asked then, as for every call.
 */
export function createCallBacks(
  parts: { store: Store; ids: Ids },
  settings: { timeZoneVersion: string },
): CallBacks {
  const { store, ids } = parts;
  const { timeZoneVersion } = settings;
  return {
    finish: (args, agreed) =>
      store.write(callBackTransactions.finish, {
        ...args,
        agreed,
        scheduleId: ids.next('sched'),
        timeZoneVersion,
      }),
  };
}
