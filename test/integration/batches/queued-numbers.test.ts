import { describe, expect, it } from 'vitest';
import type { HandleChange } from '#batches/scheduled-calls/handle-change.js';
import { recipientChangeTransactions } from '#batches/scheduled-calls/recipient-changes.js';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;

/** A batch of three queued numbers, and changes of the first. */
async function queued() {
  const rig = await BatchRig.open();
  const { id, call_ids: calls } = await rig.make(3);
  await rig.feed();
  const callId = calls[0]!;
  const change = (wanted: HandleChange) => rig.changeNumber(id, callId, wanted);
  const remove = () =>
    rig.store.write(recipientChangeTransactions.remove, { batchId: id, callId, ...rig.momentsOf(callId) });
  const waiting = async () => (await rig.queued()).map((call) => call.id);
  /** The carrier refused the call for now: it waits for the next attempt. */
  const refuseForNow = () => rig.sql(`update calls set status = 'connecting' where id = '${callId}'`);
  return { rig, id, calls, callId, change, remove, waiting, refuseForNow };
}

describe('a number that waits for the dialler', () => {
  it.each([false, true])('is called at its new time alone (refused before: %s)', async (wasRefused) => {
    const { rig, id, calls, callId, change, waiting, refuseForNow } = await queued();
    if (wasRefused) await refuseForNow();
    const at = rig.clock.wallMs() + HOUR_MS;
    expect(await change({ time: { written: toInstant(at), at } })).toEqual({ hangUp: null });
    await rig.feed();
    expect(await waiting()).toEqual(calls.slice(1));
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', pending_calls: 1, live_calls: 0 });
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    expect(await waiting()).toEqual([callId]);
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
  });

  it('is put on hold, and taken up again', async () => {
    const { rig, id, calls, callId, change, waiting } = await queued();
    await change({ status: { word: 'paused', wanted: 'paused' } });
    await rig.feed();
    expect(await waiting()).toEqual(calls.slice(1));
    await change({ status: { word: 'scheduled', wanted: 'scheduled' } });
    await rig.feed();
    expect((await waiting()).toSorted()).toEqual(calls.toSorted());
    await rig.callAll('customer_hangup');
    expect((await rig.events(callId)).filter((type) => type === 'call.completed')).toHaveLength(1);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
  });

  it.each(['cancelled', 'deleted'])('is %s in the same transaction', async (how) => {
    const { rig, id, callId, change, remove, waiting } = await queued();
    const done =
      how === 'deleted'
        ? await remove()
        : await change({ status: { word: 'cancelled', wanted: 'cancelled' } });
    // Nothing is left to hang up, and no loop has run.
    expect(done).toEqual({ hangUp: null });
    expect(await waiting()).not.toContain(callId);
    expect(await rig.events(callId)).toEqual(['call.failed']);
    expect(await rig.read(id)).toMatchObject({ cancelled_calls: 1, live_calls: 2 });
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 2 });
  });
});

describe('a call that the carrier did not want a moment ago', () => {
  it('is not dialled any more once its batch is cancelled or put on hold', async () => {
    for (const stop of ['cancel', 'pause'] as const) {
      const { rig, id, callId, waiting, refuseForNow } = await queued();
      await refuseForNow();
      await rig.batches[stop](PRINCIPAL, id);
      await rig.feed();
      expect(await waiting()).toEqual([]);
      expect(await rig.events(callId)).toEqual(stop === 'cancel' ? ['call.failed'] : []);
      if (stop === 'cancel') continue;
      await rig.batches.resume(PRINCIPAL, id);
      await rig.feed();
      expect(await waiting()).toContain(callId);
      await rig.callAll('customer_hangup');
      expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
    }
  });
});
