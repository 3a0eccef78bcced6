import { describe, expect, it } from 'vitest';
import { erasureTransactions } from '#batches/erasure.js';
import { callTransactions } from '#calls/call-store.js';
import { callRetentionTransactions } from '#calls/erasure/retention-store.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const { workspace } = PRINCIPAL;
const PEOPLE = [
  { phone_number: '+14151000001', name: 'Ada', customer_data: { doctor: 'Dr Lee' } },
  { phone_number: '+14151000002', name: 'Bob', customer_data: { doctor: 'Dr Ray' } },
];
const AGAIN = { max_retries: 1, retry_delay: 86_400, retry_on: ['busy'] };

function erase(rig: BatchRig, id: string) {
  return rig.store.write(erasureTransactions.erase, { workspace, id, at: rig.clock.wallMs() });
}

/** Calls to erase for an operator without retention. */
async function found(rig: BatchRig): Promise<string[]> {
  const args = { after: '', before: rig.clock.wallMs() + 1, limit: 100 };
  return (await rig.store.read(erasureTransactions.old, args)).found.map(({ id }) => id);
}

async function makeBatch(rig: BatchRig, fields: object = {}) {
  const batch = await rig.make(2, { to_number: PEOPLE, ...fields });
  await rig.feed();
  return { id: batch.id, calls: batch.call_ids as [string, string] };
}

describe('a number of a batch whose call is erased', () => {
  it('is not returned any more, nor is the name; the others are', async () => {
    const rig = await BatchRig.open();
    const { id, calls } = await makeBatch(rig);
    await rig.callAll('customer_hangup');
    await erase(rig, calls[0]);
    expect(await rig.read(id)).toMatchObject({
      successfully_called: 2,
      to_number: [
        { phone_number: '', name: null },
        { phone_number: '+14151000002', name: 'Bob' },
      ],
    });
  });

  it('is not called again', async () => {
    const rig = await BatchRig.open();
    const { id, calls } = await makeBatch(rig);
    await rig.callAll('busy');
    await erase(rig, calls[0]);
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(1);
    await rig.feed();
    expect(await rig.callAll('customer_hangup')).toMatchObject([{ to: '+14151000002' }]);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', failed_calls: 1 });
  });

  it('keeps its data, and its first call, for as long as it is to be called', async () => {
    const rig = await BatchRig.open();
    const { calls } = await makeBatch(rig, { retry_policy: AGAIN });
    await rig.callAll(({ to }) => (to === '+14151000001' ? 'busy' : 'customer_hangup'));
    await expect(erase(rig, calls[0])).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await found(rig)).toEqual([calls[1]]);
    await rig.clock.advance(86_400_000);
    await rig.feed();
    const [again] = await rig.queued();
    expect(await rig.store.read(callTransactions.get, { workspace, id: again!.id })).toMatchObject({
      name: 'Ada',
      customer_data: { doctor: 'Dr Lee' },
      enable_transcription: true,
    });
    await rig.callAll('busy');
    expect((await found(rig)).sort()).toEqual([...calls, again!.id].sort());
    for (const callId of await found(rig)) {
      await erase(rig, callId);
      while (await rig.store.write(callRetentionTransactions.deleteLogSlice, { callId }));
    }
    expect(await found(rig)).toEqual([]);
  });
});
