import type { ScheduledCallUpdate } from '#batches/intake/batch-request.js';
import { ScheduledCalls } from '#batches/scheduled-calls/scheduled-calls.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import { Problem } from '#kernel/errors/errors.js';
import { CallRig } from './call-rig.js';
import { PRINCIPAL } from './principal.js';

const NO_CHANGE: ScheduledCallUpdate = {
  name: undefined,
  from_number: undefined,
  scheduled_time: undefined,
  timezone: undefined,
  status: undefined,
};

const unknown = () => Promise.reject(new Problem('scheduled_call_not_found', 'There are no schedules.'));
const NO_SCHEDULES = { isScheduleId: () => false, find: unknown, update: unknown, remove: unknown };

/** Single calls and their handles; the test controls time and carrier. */
export async function openSingleCallFixture(options: Parameters<typeof CallRig.started>[0] = {}) {
  const rig = await CallRig.started(options);
  const { store, clock, ids, callService } = rig;
  const txContexts = createTxContexts({ clock, links: () => ({ recordingUrl: '', transcriptUrl: '' }) });
  const wakeDialler = (at: number) => callService.wakeDialler(at);
  const parts = { store, clock, ids, txContexts, log: rig.log.log, rules: rig.rules, wakeDialler };
  const disconnects = {
    disconnect: (id: string): Promise<unknown> => callService.calls.disconnect(PRINCIPAL, id),
  };
  const scheduled = new ScheduledCalls({
    ...parts,
    calls: { defaults: callService.calls.defaults, disconnect: (_, id) => disconnects.disconnect(id) },
    schedules: NO_SCHEDULES,
    wakeDispatcher() {},
    closeOff: async () => {},
    settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, rules: rig.rules },
  });
  const change = (id: string, update: Partial<ScheduledCallUpdate>) =>
    rig.settled(scheduled.update(PRINCIPAL, id, { ...NO_CHANGE, ...update }));
  const remove = (id: string) => rig.settled(scheduled.remove(PRINCIPAL, id));
  /** Lets time pass for dialling. */
  const goOn = () => rig.pass(5_000);
  return { rig, store, clock, scheduled, disconnects, change, remove, goOn };
}
