import { expect, it, onTestFinished } from 'vitest';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';
import { CallEndDelivery } from '#calls/end-delivery/call-end-delivery.js';
import { BatchRig } from '#test/support/batch-rig.js';
import type { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { SwitchedStore } from '#test/support/switched-store.js';

const HOUR_MS = 3_600_000;

/** Time advances in one step: a loop that polls every second runs once. */
async function pass(clock: FakeClock, byMs: number): Promise<void> {
  clock.stall(byMs);
  await clock.advance(0);
}

/** An ended batch call, and a process that settles ends; `broken` keeps it from doing so. */
async function endedCall() {
  const rig = await BatchRig.open();
  const { call_ids: ids } = await rig.make(1);
  await rig.feed();
  await rig.end(ids[0]!, 'busy');
  const store = new SwitchedStore(rig.store);
  const heard: string[] = [];
  const state = { isBroken: false };
  const apply = async (callId: string) => {
    if (state.isBroken) throw new Error('the row of the batch cannot be read');
    heard.push(callId);
  };
  const ends = new CallEndDelivery(
    { kind: 'batch', apply },
    { store, clock: rig.clock, log: createMemoryLog().log },
  );
  onTestFinished(() => ends.stop());
  const isSetAside = async () => {
    const unheard = await rig.store.read(callEndTransactions.undelivered, { owner: 'batch', limit: 1 });
    return unheard.length === 0;
  };
  return { rig, store, ends, state, heard, isSetAside, callId: ids[0]! };
}

it('an end that could not be applied is tried again every hour, without a new start', async () => {
  const { rig, ends, state, heard, isSetAside, callId } = await endedCall();
  state.isBroken = true;
  ends.start();
  await expect.poll(isSetAside).toBe(true);

  state.isBroken = false;
  await pass(rig.clock, HOUR_MS - 1);
  expect(heard).toEqual([]);
  await pass(rig.clock, 1);
  await expect.poll(() => heard).toContain(callId);
});

it('ends that could not be settled at the start are settled once the database is back', async () => {
  const { rig, store, ends, heard, callId } = await endedCall();
  await rig.store.write(callEndTransactions.defer, { callId });
  store.missing = callEndTransactions.retryDeferred as never;
  ends.start();
  await expect.poll(() => store.missing).toBeNull();

  await pass(rig.clock, HOUR_MS);
  await expect.poll(() => heard).toContain(callId);
});

it('nothing is taken up after the stop', async () => {
  const { rig, ends } = await endedCall();
  ends.start();
  await ends.stop();
  expect(rig.clock.armed).toBe(0);
});
