import { describe, expect, it } from 'vitest';
import { BATCHES_STOPPED } from '#batches/record/batch-statistics.js';
import { BatchRig } from '#test/support/batch-rig.js';

describe('a batch whose calls fail', () => {
  it('pauses after mostly technical failures, and continues when resumed', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(30, { max_concurrency: 5 });
    await rig.feed();
    await rig.callAll('provider_error');
    const paused = await rig.read(id);
    expect(paused).toMatchObject({ status: 'paused', failed_calls: 5 });
    expect(paused.pause_reason).toContain('5 of the last 5');
    expect(rig.counters.of(BATCHES_STOPPED)).toEqual([{ labels: { status: 'paused' }, value: 1 }]);
    expect(await rig.queued()).toHaveLength(0);
  });

  it.each(['server_crash', 'server_shutdown'] as const)(
    'counts every call that one stop of the service (%s) breaks off, and ends',
    async (reason) => {
      const rig = await BatchRig.open();
      const { id } = await rig.make(4, { max_concurrency: 4 });
      await rig.feed();
      const ends = ['customer_hangup', reason, reason, reason] as const;
      let turn = 0;
      await rig.callAll(() => ends[turn++]!);
      const counts = { successfully_called: 1, failed_calls: 3, live_calls: 0 };
      expect(await rig.read(id)).toMatchObject({ status: 'completed', ...counts });
    },
  );

  it('ignores busy callees', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(12, { max_concurrency: 5 });
    await rig.feed();
    while ((await rig.callAll('busy')).length > 0);
    expect(await rig.read(id)).toMatchObject({
      status: 'failed',
      failed_calls: 12,
      pause_reason: null,
      error: null,
    });
    expect(rig.counters.of(BATCHES_STOPPED)).toEqual([]);
  });

  it('is not stopped by the last of its calls: it is over', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(5, { max_concurrency: 5 });
    await rig.feed();
    await rig.callAll('provider_error');
    expect(await rig.read(id)).toMatchObject({ status: 'failed', pause_reason: null, error: null });
    expect(rig.counters.of(BATCHES_STOPPED)).toEqual([]);
  });

  it('aborts after twenty consecutive carrier errors, even after successful calls', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(40, { max_concurrency: 30 });
    await rig.feed();
    let turn = 0;
    await rig.callAll(() => (turn++ === 0 ? 'customer_hangup' : 'provider_error'));
    await rig.feed();
    const given = await rig.read(id);
    expect(given).toMatchObject({ status: 'failed', successfully_called: 1, failed_calls: 29 });
    expect(given).toMatchObject({ cancelled_calls: 10 });
    expect(given.error).toContain('20 calls in a row');
    expect(rig.counters.of(BATCHES_STOPPED)).toContainEqual({ labels: { status: 'failed' }, value: 1 });
    expect((await rig.events(id)).at(-1)).toBe('batch.failed');
  });
});
