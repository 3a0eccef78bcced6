import type { ScheduledCallUpdate } from '#batches/intake/batch-request.js';
import { NextCallWorker } from '#batches/scheduled-calls/single-calls/next-call-worker.js';
import { ScheduledCalls } from '#batches/scheduled-calls/scheduled-calls.js';
import { endingTransactions } from '#calls/endings/ending-store.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
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
const NO_SCHEDULES = { knows: () => false, find: unknown, update: unknown, remove: unknown };

/** Single calls and their handles; the test controls time and carrier. */
export async function openSingleCallFixture(options: Parameters<typeof CallRig.started>[0] = {}) {
  const rig = await CallRig.started(options);
  const { store, clock, ids, callService } = rig;
  const txContexts = createTxContexts({ clock, links: () => ({ recordingUrl: '', transcriptUrl: '' }) });
  const wakeDialler = (at: number) => callService.wakeDialler(at);
  const parts = { store, clock, ids, txContexts, log: rig.log.log, rules: rig.rules, wakeDialler };
  const caller = new NextCallWorker(parts);
  const disconnects = {
    disconnect: (id: string): Promise<unknown> => callService.calls.disconnect(PRINCIPAL, id),
  };
  const scheduled = new ScheduledCalls({
    ...parts,
    calls: { defaults: callService.calls.defaults, disconnect: (_, id) => disconnects.disconnect(id) },
    schedules: NO_SCHEDULES,
    wakeDispatcher() {},
    closeOff: async () => {},
    tellEnd: (call) => callService.tellEnd(call),
    settings: { defaultTimezone: 'UTC', planningHorizonDays: 3_653, rules: rig.rules },
  });
  const change = (id: string, update: Partial<ScheduledCallUpdate>) =>
    rig.settled(scheduled.update(PRINCIPAL, id, { ...NO_CHANGE, ...update }));
  const remove = (id: string) => rig.settled(scheduled.remove(PRINCIPAL, id));
  async function makeWanted(): Promise<void> {
    for (const id of await caller.claim(10)) await caller.perform(id);
  }
  /** Creates all requested follow-up calls and lets time pass for dialling. */
  async function goOn(): Promise<void> {
    await makeWanted();
    await rig.pass(5_000);
  }
  /** A ringing call that is requested again for a later time. */
  async function wantedAgain(inMs = 1_000, options: Parameters<CallRig['create']>[0] = {}) {
    const call = await rig.create(options);
    await rig.until(() => rig.carrier.placed.length === 1);
    await change(call.id, { scheduled_time: toInstant(clock.wallMs() + inMs) });
    return call;
  }
  /** Ends a call without further processing. */
  async function end(callId: string, reason: EndedReason): Promise<void> {
    await store.write(endingTransactions.finish, { callId, details: txContexts.finish(callId, reason) });
  }
  return { rig, store, clock, scheduled, disconnects, change, remove, goOn, makeWanted, wantedAgain, end };
}
