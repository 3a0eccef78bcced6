import type { CallBacks } from '#calls/endings/call-backs.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { callBackTransactions } from './call-back-store.js';

/**
 * Call-backs are one-time schedules: the scheduler finds them when they are due, and the policy is asked then, as for
 * every call.
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
