import { describe, expect, it } from 'vitest';
import { BatchRig } from '#test/support/batch-rig.js';
import { later } from '#test/support/batches.js';
import { PRINCIPAL } from '#test/support/principal.js';

const ARMED = { status: { word: 'scheduled', wanted: 'scheduled' } } as const;

/** A waiting recipient whose call was hung up, which the batch has not settled yet. */
async function calledOff() {
  const rig = await BatchRig.open();
  const { id, call_ids: ids } = await rig.make(2, { scheduled_time: later() });
  await rig.end(ids[0]!, 'cancelled');
  return { rig, id, callId: ids[0]! };
}

describe('a recipient whose ended call is not settled yet', () => {
  it('is over for a change, which settles it first', async () => {
    const { rig, id, callId } = await calledOff();
    const at = rig.clock.wallMs() + 60_000;
    for (const change of [ARMED, { time: { written: 'soon', at } }])
      await expect(rig.changeNumber(id, callId, change)).rejects.toMatchObject({ code: 'invalid_state' });
    await rig.changeNumber(id, callId, { name: 'N' });
    expect(await rig.read(id)).toMatchObject({ pending_calls: 1, cancelled_calls: 1 });
  });

  it('is not changed by a retry request of another workspace', async () => {
    const { rig, id } = await calledOff();
    const stranger = { ...PRINCIPAL, workspace: 'another' };
    const asked = rig.batches.retryFailed(stranger, id, () => null);
    await expect(asked).rejects.toMatchObject({ code: 'batch_not_found' });
    expect(await rig.read(id)).toMatchObject({ pending_calls: 2, cancelled_calls: 0 });
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(0);
    expect(await rig.read(id)).toMatchObject({ pending_calls: 1, cancelled_calls: 1 });
  });
});
