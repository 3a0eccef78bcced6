import { describe, expect, it } from 'vitest';
import { MAX_DOWNTIME_MS } from '#batches/dispatch/downtime-gap.js';
import { BATCHES_STOPPED } from '#batches/record/batch-statistics.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const PAUSED = { status: 'paused', pause_reason: 'the service was not running when it was due' };
const ALL_DAY = { start: '00:00', end: '24:00', timezone: 'UTC' };

/** A batch of three numbers scheduled in `hours`. */
async function planned(rig: BatchRig, hours: number, fields: object = {}) {
  const scheduledTime = toInstant(rig.clock.wallMs() + hours * HOUR_MS);
  return (await rig.make(3, { scheduled_time: scheduledTime, ...fields })).id;
}

/** A downtime of `hours` that begins now. */
async function away(rig: BatchRig, hours: number) {
  await rig.isThere();
  await rig.clock.advance(hours * HOUR_MS);
  await rig.isThere();
}

/** The calls that the dialler would dial now. */
async function dialled(rig: BatchRig) {
  const now = rig.clock.wallMs();
  const lease = { nodeId: 'node_test', leaseUntil: now + 45_000 };
  return rig.store.write(dialTransactions.claim, { ...lease, now, limit: 99, forBatches: 0 });
}

describe('after hours of downtime', () => {
  it('an overdue batch makes no call until it is resumed', async () => {
    const rig = await BatchRig.open();
    const id = await planned(rig, 1);

    await away(rig, 9);
    await rig.feed();

    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 3 });
    expect(await rig.queued()).toEqual([]);
    expect(await rig.events(id)).toEqual([]);
    expect(rig.logLines).toMatchObject([{ level: 'warn', count: 1 }]);
    expect(rig.counters.of(BATCHES_STOPPED)).toEqual([{ labels: { status: 'paused' }, value: 1 }]);

    await rig.batches.resume(PRINCIPAL, id);
    await rig.isThere();
    await rig.feed();
    expect(await rig.callAll('customer_hangup')).toHaveLength(3);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 3 });
  });

  it.each([
    ['were stopped', ['customer_hangup', 'server_shutdown']],
    ['have crashed', ['server_crash', 'no_answer']],
  ] as const)('a batch whose calls %s does not go on', async (_how, ends) => {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(6, { max_concurrency: 2 });
    await rig.feed();
    await rig.isThere();
    await rig.clock.advance(9 * HOUR_MS);

    await rig.isThere();
    for (const [at, reason] of ends.entries()) await rig.end(ids[at]!, reason);
    await rig.settle();
    await rig.feed();

    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 4 });
    expect(await dialled(rig)).toEqual([]);
  });

  it('no queued number is dialled until the batch is resumed, and all are afterwards', async () => {
    const rig = await BatchRig.open();
    const { id } = await rig.make(3);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);

    await away(rig, 9);
    expect(await dialled(rig)).toEqual([]);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 3, live_calls: 0 });

    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect(await dialled(rig)).toHaveLength(3);
  });

  it('all queued numbers are called even if the batch is resumed at once', async () => {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(3);
    await rig.feed();
    await away(rig, 9);
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect((await dialled(rig)).map((attempt) => attempt.call_id).toSorted()).toEqual(ids.toSorted());
  });

  it('numbers deferred by the policy are called once the batch is resumed', async () => {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(1);
    await rig.feed();
    // The service stops before the end is settled.
    const until = rig.clock.wallMs() + HOUR_MS;
    await rig.sql(`update dial_attempts set due_at = ${until}`);
    await rig.sql('update calls set unsettled = 1');
    await away(rig, 9);
    await rig.settle();
    await rig.feed();
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect((await rig.queued()).map((call) => call.id)).toEqual(ids);
  });

  it('a second attempt of the afternoon is not made at night', async () => {
    const rig = await BatchRig.open();
    const retry = { max_retries: 1, retry_delay: 60, retry_on: ['busy'] };
    const { id } = await rig.make(2, { retry_policy: retry });
    await rig.feed();
    await rig.callAll('busy');

    await away(rig, 6);
    await rig.feed();

    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 2 });
  });

  it('a number with a time before its batch is not called until the batch is resumed', async () => {
    const rig = await BatchRig.open();
    const id = await planned(rig, 72);
    const at = rig.clock.wallMs() + HOUR_MS;
    const [callId] = (await rig.read(id)).call_ids;
    await rig.changeNumber(id, callId!, { time: { written: toInstant(at), at } });
    await rig.feed();

    await away(rig, 9);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 3 });
    expect(await rig.queued()).toEqual([]);

    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect((await rig.queued()).map((call) => call.id)).toEqual([callId]);
  });

  it('of a suspended machine, nothing is dialled before the gap is detected', async () => {
    const rig = await BatchRig.open();
    const id = await planned(rig, 1);
    await rig.isThere();
    rig.clock.setWall(rig.clock.wallMs() + 9 * HOUR_MS);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ ...PAUSED, pending_calls: 3 });
    expect(await rig.queued()).toEqual([]);
  });

  it('a batch that is planned for later, or was due a moment ago, is as it was', async () => {
    const rig = await BatchRig.open();
    const later = await planned(rig, 72);
    const justNow = await planned(rig, 8.5);

    await away(rig, 9);
    await rig.feed();

    expect(await rig.read(later)).toMatchObject({ status: 'scheduled', pause_reason: null });
    expect(await rig.read(justNow)).toMatchObject({ pause_reason: null });
    expect(await rig.queued()).toHaveLength(3);
  });

  it('a batch with calling hours continues, and so does every batch under enforced hours', async () => {
    const rig = await BatchRig.open();
    await planned(rig, 1, { call_window: ALL_DAY });
    await away(rig, 9);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);

    const window = { startMinute: 0, endMinute: 1_440, days: 0b1111111, timezone: 'UTC' };
    const strict = await BatchRig.open({ mode: 'enforce', window });
    await planned(strict, 1);
    await away(strict, 9);
    await strict.feed();
    expect(await strict.queued()).toHaveLength(3);
  });
});

describe('a batch of a service without a long downtime', () => {
  it('begins, however late the dispatcher claims it', async () => {
    const rig = await BatchRig.open();
    await planned(rig, 1);
    for (let hour = 0; hour < 9; hour += 1) await away(rig, MAX_DOWNTIME_MS / HOUR_MS);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);
  });

  it('goes on after a talk of hours, however that ends', async () => {
    const rig = await BatchRig.open();
    const { call_ids: ids } = await rig.make(3, { max_concurrency: 1 });
    await rig.feed();
    for (let hour = 0; hour < 4; hour += 1) await away(rig, 1);
    await rig.end(ids[0]!, 'server_crash');
    await rig.settle();
    await rig.feed();
    expect((await rig.queued()).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('begins on the first day', async () => {
    const rig = await BatchRig.open();
    await planned(rig, 1);
    await rig.clock.advance(9 * HOUR_MS);
    await rig.isThere();
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);
  });
});
