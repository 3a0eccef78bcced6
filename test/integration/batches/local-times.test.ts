import { describe, expect, it } from 'vitest';
import { restoredTransactions } from '#batches/dispatch/hold-batches.js';
import { readNewTime } from '#batches/scheduled-calls/new-time.js';
import { replanLocalTimes } from '#batches/local-times.js';
import { toInstant } from '#kernel/time/clock.js';
import { batchLookTransactions } from '#test/support/batch-look-transactions.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { openSingleCallFixture } from '#test/support/single-call-fixture.js';
import { databaseOn, engines } from '#test/support/engines.js';
import { openPostgres } from '#test/support/postgres.js';
import { PRINCIPAL } from '#test/support/principal.js';

const postgres = await openPostgres();

const HOUR_MS = 3_600_000;
const WRITTEN = '2026-12-01 09:00:00';
const NINE_IN_BERLIN = Date.parse('2026-12-01T08:00:00Z');
const IN_BERLIN = { scheduled_time: WRITTEN, timezone: 'Europe/Berlin' };
const AS_INSTANT = { scheduled_time: '2026-12-01T09:00:00+01:00', timezone: 'Europe/Berlin' };

describe('other time-zone data, and calls of their own', () => {
  type Fixture = Awaited<ReturnType<typeof openSingleCallFixture>>;
  const planEarlier = ({ store }: Fixture) => store.write(lookTransactions.planEarlier, { byMs: HOUR_MS });
  const replanned = (fixture: Fixture) => fixture.rig.settled(replanLocalTimes({ ...fixture.rig }));
  const dueAt = async ({ store }: Fixture, callId: string) =>
    (await store.read(lookTransactions.attempts, { callId }))[0]!['due_at'];
  const shownAt = async ({ scheduled }: Fixture, id: string) =>
    (await scheduled.get(PRINCIPAL, id)) as { scheduled_at: string };

  it.each(engines)('moves one that waits to its local time (%s)', async (engine) => {
    const fixture = await openSingleCallFixture(await databaseOn(engine));
    const { id } = await fixture.rig.create(IN_BERLIN);
    await planEarlier(fixture);
    expect(await replanned(fixture)).toBe(1);
    expect(await replanned(fixture)).toBe(0);
    expect(await dueAt(fixture, id)).toBe(NINE_IN_BERLIN);
    expect(await shownAt(fixture, id)).toMatchObject({ scheduled_at: toInstant(NINE_IN_BERLIN) });
    fixture.clock.stall(NINE_IN_BERLIN - HOUR_MS - fixture.clock.wallMs());
    await fixture.rig.pass(5_000);
    expect(fixture.rig.carrier.placed).toEqual([]);
    await fixture.clock.advance(HOUR_MS);
    await fixture.rig.until(() => fixture.rig.carrier.placed.length === 1);
  });

  it('moves one that is on hold', async () => {
    const fixture = await openSingleCallFixture();
    const { id: held } = await fixture.rig.create(IN_BERLIN);
    await fixture.change(held, { status: 'paused' });
    await planEarlier(fixture);
    expect(await replanned(fixture)).toBe(1);
    expect(await shownAt(fixture, held)).toMatchObject({ scheduled_at: toInstant(NINE_IN_BERLIN) });
  });

  it('asks the policy about the time to which it moves one', async () => {
    const fixture = await openSingleCallFixture();
    // From half past eight in Berlin on: deferred by the old data, allowed by the new.
    fixture.rig.rules.mode = 'enforce';
    fixture.rig.rules.window = { startMinute: 450, endMinute: 1_200, days: 127, timezone: 'UTC' };
    const { id } = await fixture.rig.create({ ...IN_BERLIN, scheduled_time: '2026-12-01 08:00:00' });
    expect(await dueAt(fixture, id)).toBe(NINE_IN_BERLIN - HOUR_MS / 2);
    expect(await replanned(fixture)).toBe(0);
    await planEarlier(fixture);
    expect(await replanned(fixture)).toBe(1);
    expect(await dueAt(fixture, id)).toBe(NINE_IN_BERLIN - HOUR_MS / 2);
  });

  it('leaves an instant, one that is dialled, and one whose time has come', async () => {
    const fixture = await openSingleCallFixture({ maxConcurrentCalls: 1 });
    const instant = await fixture.rig.create(AS_INSTANT);
    const dialled = await fixture.rig.create({ ...IN_BERLIN, scheduled_time: '2026-11-21 01:00:00' });
    await fixture.rig.until(() => fixture.rig.carrier.placed.length === 1);
    const due = await fixture.rig.create({ ...IN_BERLIN, scheduled_time: '2026-11-21 01:00:00' });
    await fixture.rig.pass(1_000);
    await planEarlier(fixture);
    expect(await replanned(fixture)).toBe(0);
    expect(await dueAt(fixture, instant.id)).toBe(NINE_IN_BERLIN - HOUR_MS);
    expect(await fixture.rig.call(dialled.id)).toMatchObject({ status: 'connecting' });
    expect(await fixture.rig.call(due.id)).toMatchObject({ status: 'queued', timezone: 'Europe/Berlin' });
  });
});

describe('other time-zone data, and numbers of batches with a time of their own', () => {
  const time = { written: WRITTEN, at: NINE_IN_BERLIN - HOUR_MS, readIn: 'Europe/Berlin' };
  const replanned = (rig: BatchRig) => replanLocalTimes(rig);

  async function made(own: { written: string; at: number; readIn?: string | null } = time) {
    const rig = await BatchRig.open();
    const { id, call_ids: ids } = await rig.make(2, {
      scheduled_time: toInstant(NINE_IN_BERLIN + 5 * HOUR_MS),
    });
    await rig.changeNumber(id, ids[0]!, { time: own });
    await rig.feed();
    return { rig, id, callId: ids[0]! };
  }
  const queued = async (rig: BatchRig) => (await rig.queued()).map((call) => call.id);

  it.skipIf(postgres.isMissing)(
    'moves one on PostgreSQL, where another batch is held and resumed',
    async () => {
      const databaseUrl = await postgres.migratedDatabase();
      const rig = await BatchRig.open({}, { databaseUrl });
      const { id, call_ids: ids } = await rig.make(2);
      await rig.feed();
      await rig.store.write(restoredTransactions.hold, { at: rig.clock.wallMs() });
      expect(await queued(rig)).toEqual([]);
      expect(await rig.read(id)).toMatchObject({ status: 'paused', pending_calls: 2, live_calls: 0 });
      await rig.batches.resume(PRINCIPAL, id);
      await rig.feed();
      expect((await queued(rig)).toSorted()).toEqual(ids.toSorted());
      const later = await rig.make(['+14155550199'], {
        scheduled_time: toInstant(NINE_IN_BERLIN + 5 * HOUR_MS),
      });
      await rig.changeNumber(later.id, later.call_ids[0]!, { time });
      expect(await replanned(rig)).toBe(1);
      const [told] = await rig.store.read(batchLookTransactions.tellings, { batchId: later.id });
      expect(told).toMatchObject({ scheduled_at: NINE_IN_BERLIN });
    },
  );

  it.each([false, true])('moves one to its local time (on hold: %s)', async (isHeld) => {
    const { rig, id, callId } = await made();
    if (isHeld) await rig.changeNumber(id, callId, { status: { word: 'paused', wanted: 'paused' } });
    expect(await replanned(rig)).toBe(1);
    expect(await replanned(rig)).toBe(0);
    const [told] = await rig.store.read(batchLookTransactions.tellings, { batchId: id });
    expect(told).toMatchObject({ scheduled_time: WRITTEN, scheduled_at: NINE_IN_BERLIN });
    if (isHeld) await rig.changeNumber(id, callId, { status: { word: 'active', wanted: 'scheduled' } });
    await rig.feed();
    rig.clock.stall(NINE_IN_BERLIN - HOUR_MS - rig.clock.wallMs());
    await rig.feed();
    expect(await queued(rig)).toEqual([]);
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    expect(await queued(rig)).toEqual([callId]);
  });

  it('moves one whose time has come to one that lies ahead, but none that is being called', async () => {
    const { rig } = await made();
    rig.clock.stall(NINE_IN_BERLIN - HOUR_MS - rig.clock.wallMs());
    expect(await replanned(rig)).toBe(1);
    await rig.feed();
    expect(await queued(rig)).toEqual([]);
    const other = await made();
    await other.rig.clock.advance(NINE_IN_BERLIN - HOUR_MS - other.rig.clock.wallMs());
    await other.rig.feed();
    expect(await queued(other.rig)).toEqual([other.callId]);
    expect(await replanned(other.rig)).toBe(0);
  });

  it('leaves an instant, and one that was put off', async () => {
    const { rig } = await made({ ...time, readIn: null });
    expect(await replanned(rig)).toBe(0);
    const other = await made();
    await other.rig.sql(`update batch_recipients set due_at = due_at + 60000 where due_at > 0`);
    expect(await replanned(other.rig)).toBe(0);
  });
});

it('is kept with the zone in which it was read, or as the instant that it is', () => {
  const usual = { usualZone: 'UTC', now: NINE_IN_BERLIN, horizonDays: 3_653 };
  const before = { written: WRITTEN, at: NINE_IN_BERLIN, readIn: 'Europe/Berlin', zone: null };
  expect(readNewTime({ written: '2026-12-02 09:00:00', zone: undefined }, before, usual)).toEqual({
    at: NINE_IN_BERLIN + 24 * HOUR_MS,
    readIn: 'Europe/Berlin',
  });
  const instant = { written: '2026-12-02T09:00:00Z', zone: undefined };
  expect(readNewTime(instant, before, usual)).toMatchObject({ readIn: null });
  const named = { ...instant, zone: 'Europe/London' };
  expect(readNewTime(named, before, usual)).toMatchObject({ readIn: 'Europe/London' });
});
