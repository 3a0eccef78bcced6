import { beforeEach, describe, expect, it } from 'vitest';
import { replanLocalTimes } from '#batches/local-times.js';
import { batchChangeTransactions } from '#batches/scheduled-calls/batch-changes.js';
import type { HandleChange } from '#batches/scheduled-calls/handle-change.js';
import { toInstant } from '#kernel/time/clock.js';
import { batchLookTransactions } from '#test/support/batch-look-transactions.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const OTHER_NUMBER = '+14155550177';

let rig: BatchRig;
let begunAt: number;
beforeEach(async () => {
  rig = await BatchRig.open();
  begunAt = rig.clock.wallMs();
});

/** A time `hours` after the start of the test, as a client writes it. */
function inHours(hours: number) {
  const at = begunAt + hours * HOUR_MS;
  return { written: toInstant(at), at };
}

/** Changes a batch in a process that crashes right after the transaction. */
async function changeAndDie(id: string, change: HandleChange): Promise<void> {
  const { workspace } = PRINCIPAL;
  await rig.store.write(batchChangeTransactions.change, { workspace, id, change, at: rig.clock.wallMs() });
}

const tellings = (batchId: string) => rig.store.read(batchLookTransactions.tellings, { batchId });

describe('a batch that is given a later time', () => {
  it('calls a number at the time of its own, before that', async () => {
    const { id, call_ids: ids } = await rig.make(3, { scheduled_time: inHours(5).written });
    await rig.changeNumber(id, ids[0]!, { time: inHours(1) });
    await rig.feed();
    await changeAndDie(id, { time: inHours(9) });
    await rig.feed();
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    expect((await rig.queued()).map((call) => call.id)).toEqual([ids[0]]);
  });
});

describe('a batch that is changed by a process that dies', () => {
  it.each(['scheduled', 'paused'])('syncs its new time to all of its calls (%s)', async (status) => {
    const { id, call_ids: ids } = await rig.make(1_100, { scheduled_time: inHours(5).written });
    await rig.changeNumber(id, ids[0]!, { time: inHours(7) });
    await rig.changeNumber(id, ids[1]!, { from: '+14155550111' });
    if (status === 'paused') await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();

    await changeAndDie(id, { time: inHours(9), from: OTHER_NUMBER });
    await rig.feed();

    const shared = {
      scheduled_time: inHours(9).written,
      scheduled_at: inHours(9).at,
      from_phone: OTHER_NUMBER,
    };
    const [first, second, ...others] = await tellings(id);
    expect(first).toEqual({ ...shared, scheduled_time: inHours(7).written, scheduled_at: inHours(7).at });
    expect(second).toEqual({ ...shared, from_phone: '+14155550111' });
    expect(others).toEqual(others.map(() => shared));
    expect(others).toHaveLength(1_098);
    expect(await rig.read(id)).toMatchObject({ status, pending_calls: 1_100 });
  });

  it('stores the decisions on suppressed numbers for the new time', async () => {
    const { id } = await rig.make(2, { scheduled_time: inHours(5).written });
    await rig.suppress('+14151000000');
    const before = await rig.counts();
    await changeAndDie(id, { time: inHours(9) });
    await rig.feed();
    await rig.feed();
    expect((await rig.counts()).number_decisions).toBe(before.number_decisions + 1);
  });

  it('is begun at its new time', async () => {
    const { id } = await rig.make(3, { scheduled_time: inHours(5).written });
    await changeAndDie(id, { time: inHours(0) });
    await rig.feed();
    expect(await rig.queued()).toHaveLength(3);
  });
});

describe('other time-zone data', () => {
  const SHIFT_MS = HOUR_MS;
  const local = '2026-12-01 09:00:00';
  const nineInBerlin = Date.parse('2026-12-01T08:00:00Z');
  const isReplanned = () => replanLocalTimes(rig);

  /** A batch planned with time-zone data in which its zone is an hour further east. */
  async function made(fields: object): Promise<string> {
    const { id } = await rig.make(2, { scheduled_time: local, ...fields });
    for (const table of ['batches', 'calls'])
      await rig.sql(
        `update ${table} set scheduled_at = ${nineInBerlin - SHIFT_MS} where scheduled_at is not null`,
      );
    return id;
  }

  it.each(['scheduled', 'paused'])('moves a future batch to its local time (%s)', async (status) => {
    const id = await made({ timezone: 'Europe/Berlin' });
    if (status === 'paused') await rig.batches.pause(PRINCIPAL, id);
    expect(await isReplanned()).toBe(1);
    expect(await isReplanned()).toBe(0);
    await rig.feed();
    expect(await rig.read(id)).toMatchObject({ status, scheduled_at: toInstant(nineInBerlin) });
    const [first] = await tellings(id);
    expect(first).toMatchObject({ scheduled_time: local, scheduled_at: nineInBerlin });

    await rig.clock.advance(nineInBerlin - SHIFT_MS - rig.clock.wallMs());
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
  });

  it('moves one that named no zone in the one in which it was read, also by a later change', async () => {
    const nineInUtc = nineInBerlin + HOUR_MS;
    const id = await made({});
    expect(await isReplanned()).toBe(1);
    expect(await rig.read(id)).toMatchObject({ scheduled_at: toInstant(nineInUtc), timezone: null });
    await changeAndDie(id, { time: { written: local, at: nineInUtc - 1, readIn: 'UTC' } });
    expect(await isReplanned()).toBe(1);
    await changeAndDie(id, { time: { written: local, at: nineInUtc - 1, readIn: null } });
    expect(await isReplanned()).toBe(0);
  });

  it('moves waiting numbers of a batch that has already made a call', async () => {
    const id = await made({ timezone: 'Europe/Berlin' });
    const [first] = (await rig.read(id)).call_ids;
    await rig.changeNumber(id, first!, { time: inHours(1) });
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    await rig.callAll('customer_hangup');
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', pending_calls: 1 });
    expect(await isReplanned()).toBe(1);
    await rig.feed();
    const [, waiting] = await tellings(id);
    expect(waiting).toMatchObject({ scheduled_time: local, scheduled_at: nineInBerlin });
    await rig.clock.advance(nineInBerlin - SHIFT_MS - rig.clock.wallMs());
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    await rig.clock.advance(SHIFT_MS);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(1);
  });

  /** One of two numbers was called early by older time-zone data; then the service was down. */
  async function begunEarly(): Promise<string> {
    const id = await made({ timezone: 'Europe/Berlin' });
    const [first] = (await rig.read(id)).call_ids;
    await rig.changeNumber(id, first!, { time: inHours(1) });
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    await rig.callAll('customer_hangup');
    return id;
  }

  it('is synced to waiting numbers of a batch that began early, also after its time', async () => {
    const id = await begunEarly();
    const written = nineInBerlin + SHIFT_MS;
    for (const table of ['batches', 'calls'])
      await rig.sql(`update ${table} set scheduled_at = ${written} where scheduled_time = '${local}'`);
    rig.clock.setWall(nineInBerlin + 1);
    expect(await isReplanned()).toBe(1);
    await rig.feed();
    const [, waiting] = await tellings(id);
    expect(waiting).toMatchObject({ scheduled_time: local, scheduled_at: nineInBerlin });
    expect(await rig.queued()).toHaveLength(1);
  });

  it('makes no call of a batch that began early at the hour of older time-zone data', async () => {
    await begunEarly();
    rig.clock.setWall(nineInBerlin - 1);
    expect(await isReplanned()).toBe(1);
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    await rig.clock.advance(1);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(1);
  });

  it('leaves a batch with an offset, and one whose time has come', async () => {
    await rig.make(1, { scheduled_time: '2026-12-01T09:00:00+01:00', timezone: 'America/New_York' });
    expect(await isReplanned()).toBe(0);
    const id = await made({ timezone: 'Europe/Berlin' });
    await rig.sql(`update batches set scheduled_at = ${nineInBerlin + SHIFT_MS} where id = '${id}'`);
    rig.clock.setWall(nineInBerlin + SHIFT_MS);
    expect(await isReplanned()).toBe(0);
  });

  it('moves a due batch without calls to a future time', async () => {
    await made({ timezone: 'Europe/Berlin' });
    rig.clock.setWall(nineInBerlin - SHIFT_MS);
    expect(await isReplanned()).toBe(1);
  });
});
