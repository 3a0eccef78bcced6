import { describe, expect, it } from 'vitest';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';
import { NO_RETRIES } from '#schedules/record/retry.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

describe('settling', () => {
  it('is waited for: the dispatcher leaves a number alone until the end is settled', async () => {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(3, { max_concurrency: 2 });
    for (const callId of ids.slice(0, 2)) await rig.end(callId, 'suppressed');
    await rig.feed();
    expect(await rig.nextDispatchAt()).toBe(rig.clock.wallMs() + 500);
    await rig.settle();
    await rig.clock.advance(500);
    await rig.feed();
    expect(await rig.callAll('customer_hangup')).toMatchObject([{ id: ids[2] }]);
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: 1,
      skipped_calls: 2,
    });
  });

  it('counts three answered, one busy to the end and one suppressed as completed, 3, 1 and 0.6', async () => {
    const rig = await BatchRig.open();
    const numbers = ['+14151000001', '+14151000002', '+14151000003', '+14151000004', '+14151000005'];
    await rig.suppress('+14151000005');
    const { id } = await rig.make(numbers, {
      retry_policy: { max_retries: 2, retry_delay: 60, exponential_backoff: true, retry_on: ['busy'] },
    });
    await rig.feed();
    await rig.callAll((call) => (call.to === '+14151000004' ? 'busy' : 'customer_hangup'));
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', pending_calls: 1, failed_calls: 0 });
    // The second attempt comes 60 seconds after the end of the first, the third 120 after the second.
    for (const waitMs of [60_000, 120_000]) {
      await rig.clock.advance(waitMs - 1);
      await rig.feed();
      expect(await rig.queued()).toHaveLength(0);
      await rig.clock.advance(1);
      expect(await rig.nextDispatchAt()).toBe(rig.clock.wallMs());
      await rig.feed();
      expect(await rig.callAll('busy')).toMatchObject([{ to: '+14151000004' }]);
    }
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: 3,
      failed_calls: 1,
      skipped_calls: 1,
      success_rate: 0.6,
    });
    expect(await rig.events(id)).toEqual(['batch.initiated', 'batch.in_progress', 'batch.completed']);
  });

  it.each([
    ['all skipped', [], 'completed', 'batch.completed'],
    ['nobody reached', ['busy', 'no_answer'], 'failed', 'batch.failed'],
    ['only machines reached', ['voicemail', 'voicemail'], 'failed', 'batch.failed'],
    ['somebody reached', ['busy', 'agent_hangup'], 'completed', 'batch.completed'],
  ] as const)('ends once: %s', async (_case, ends, status, event) => {
    const rig = await BatchRig.open();
    if (ends.length === 0) for (const number of ['+14151000000', '+14151000001']) await rig.suppress(number);
    const { id } = await rig.make(2);
    await rig.feed();
    let turn = 0;
    await rig.callAll(() => ends[turn++]!);
    expect(await rig.read(id)).toMatchObject({ status, pending_calls: 0, live_calls: 0 });
    const events = await rig.events(id);
    expect(events.filter((type) => type === 'batch.completed' || type === 'batch.failed')).toEqual([event]);
  });

  it('fails if no number was reached, even if one was skipped', async () => {
    const rig = await BatchRig.open();
    await rig.suppress('+14151000001');
    const { id } = await rig.make(['+14151000000', '+14151000001']);
    await rig.feed();
    await rig.callAll('busy');
    expect(await rig.read(id)).toMatchObject({ status: 'failed', skipped_calls: 1, failed_calls: 1 });
  });

  it('keeps no end that another process has settled', async () => {
    const rig = await BatchRig.open();
    await rig.make(1);
    await rig.feed();
    const [call] = await rig.callAll('customer_hangup');
    await rig.store.write(callEndTransactions.defer, { callId: call!.id });
    await rig.store.write(callEndTransactions.retryDeferred, { owner: 'batch' });
    expect(await rig.store.read(callEndTransactions.undelivered, { owner: 'batch', limit: 10 })).toEqual([]);
  });

  it('is settled before failed numbers are requeued', async () => {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(2);
    await rig.feed();
    await rig.callAll('busy');
    expect(await rig.read(id)).toMatchObject({ status: 'failed', failed_calls: 2 });
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(2);
    await rig.feed();
    for (const call of await rig.queued()) await rig.end(call.id, 'busy');
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(2);
    await rig.settle();
    await rig.feed();
    expect(await rig.queued()).toHaveLength(2);
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', live_calls: 2, call_ids: ids });
  });

  it('is tried again though the clock went back since it failed', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(2);
    await rig.feed();
    await rig.callAll('busy');
    rig.clock.setWall(rig.clock.wallMs() - 60_000);
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(2);
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(0);
  });

  it('tries everybody again whom it did not reach, also where it was aborted, and tells of its next end', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(40, { max_concurrency: 30 });
    await rig.feed();
    await rig.callAll('provider_error');
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ failed_calls: 30, cancelled_calls: 10 });
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(40);
    await rig.feed();
    while ((await rig.queued()).length > 0) await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: 40,
      success_rate: 1,
    });
    const ends = (await rig.events(id)).slice(2);
    expect(ends).toEqual(['batch.failed', 'batch.completed']);
    expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null)).toBe(0);
    await rig.feed();
    expect((await rig.events(id)).slice(2)).toEqual(ends);
  });

  it.each([2, 502])(
    'calls a number once at a time that failed for two of its rows, of %i numbers',
    async (count) => {
      const rig = await BatchRig.open();
      const numbers = Array.from({ length: count }, (_, i) => `+1415${1_000_000 + i}`);
      const { id } = await rig.make([...numbers, numbers[0]!], { max_concurrency: 1_000 });
      const callAll = async () => {
        const called: string[] = [];
        for (await rig.feed(); (await rig.queued()).length > 0; await rig.feed()) {
          called.push(...(await rig.callAll('busy')).map(({ to }) => to));
        }
        return called.toSorted();
      };
      expect(await callAll()).toEqual(numbers);
      // An earlier release called the second row by hand, and it failed.
      await rig.sql(
        `update batch_recipients set status = 'failed', reason = 'busy' where reason = 'duplicate'`,
      );
      await rig.sql('update batches set failed = failed + 1, skipped = skipped - 1');
      for (const time of ['once', 'again']) {
        expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null), time).toBe(count);
        expect(await rig.batches.retryFailed(PRINCIPAL, id, () => null), time).toBe(0);
        expect(await callAll(), time).toEqual(numbers);
      }
    },
  );

  it('calls a reached number only once even if the clock is set back during the call', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(1, {
      retry_policy: { max_retries: 1, retry_delay: 60, retry_on: ['busy'] },
    });
    await rig.feed();
    await rig.callAll('busy');
    await rig.clock.advance(60_000);
    await rig.feed();
    rig.clock.setWall(rig.clock.wallMs() - 3_600_000);
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({
      status: 'completed',
      successfully_called: 1,
      pending_calls: 0,
    });
  });

  it.each(['cancelled', 'expired'] as const)(
    'counts no attempt against a number whose call was %s before anybody dialled it',
    async (reason) => {
      const rig = await BatchRig.open({ mode: 'enforce', caps: [{ attempts: 1, hours: 24 }] });
      await rig.make(['+14151000001']);
      await rig.feed();
      await rig.callAll(reason);
      await rig.make(['+14151000001']);
      await rig.feed();
      expect((await rig.queued()).map(({ to }) => to)).toEqual(['+14151000001']);
    },
  );

  it('settles an end once, however often it is reported', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(2);
    await rig.feed();
    const [call] = await rig.queued();
    await rig.end(call!.id, 'busy');
    await rig.settle();
    await rig.sql(`update calls set unsettled = 1 where id = '${call!.id}'`);
    await rig.settle();
    expect(await rig.read(id)).toMatchObject({ failed_calls: 1, live_calls: 1 });
  });

  it('skips an end that cannot be settled, and settles it at the next start', async () => {
    const rig = await BatchRig.open();
    const bad = await rig.make(1);
    const good = await rig.make(1);
    await rig.feed();
    await rig.sql(`update batches set retry_policy = '{bad' where id = '${bad.id}'`);
    for (const call of await rig.queued()) await rig.end(call.id, 'customer_hangup');
    await rig.settle();
    expect(await rig.read(good.id)).toMatchObject({ status: 'completed' });
    await rig.sql(`update batches set retry_policy = '${JSON.stringify(NO_RETRIES)}' where id = '${bad.id}'`);
    expect(await rig.read(bad.id)).toMatchObject({ live_calls: 1 });
    await rig.takeUpEnds();
    await rig.settle();
    expect(await rig.read(bad.id)).toMatchObject({ status: 'completed', successfully_called: 1 });
  });
});
