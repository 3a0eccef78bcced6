import { describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { decisionsOf } from '#test/support/decisions-of.js';
import { openSingleCallFixture } from '#test/support/single-call-fixture.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const NUMBER = '+14155550123';

/** It is midnight, and Saturday. */
const SATURDAY = { start: '00:00', timezone: 'UTC', days: ['SAT'] };

describe('a call that is wanted after the one that is under way', () => {
  it('is refused at once outside of its own hours, and is not made', async () => {
    const { rig, clock, change, goOn } = await openSingleCallFixture();
    const now = clock.wallMs();
    const call = await rig.create({ call_window: { ...SATURDAY, end: '02:00' } });
    await rig.until(() => rig.carrier.placed.length === 1);
    await expect(
      change(call.id, { name: 'N', scheduled_time: toInstant(now + 24 * HOUR_MS) }),
    ).rejects.toMatchObject({
      code: 'validation_error',
      details: [{ field: 'call_window', code: 'invalid_value' }],
    });
    await rig.carrier.report('busy');
    await rig.reaches(call.id, 'failed');
    await goOn();
    clock.setWall(now + 24 * HOUR_MS);
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
    expect((await rig.call(call.id)).name).toBeNull();
  });

  it('stores the decision on a suppressed number when it is requested', async () => {
    const { rig, store, clock, wantedAgain, change } = await openSingleCallFixture();
    const call = await wantedAgain();
    await store.write(lookTransactions.suppress, { phoneNumber: NUMBER, at: clock.wallMs() });
    const before = (await decisionsOf(rig, NUMBER)).length;
    clock.setWall(clock.wallMs() + 1_000);
    await change(call.id, { scheduled_time: toInstant(clock.wallMs() + HOUR_MS) });
    const [latest, ...others] = await decisionsOf(rig, NUMBER);
    expect(others).toHaveLength(before);
    expect(latest).toMatchObject({ moment: 'accepted', verdict: 'skip', reason: 'suppressed' });
  });

  it('is created even if its hours are over by then, with the reason for not dialling', async () => {
    const { rig, clock, wantedAgain, makeWanted, scheduled, end } = await openSingleCallFixture();
    const now = clock.wallMs();
    const call_window = { ...SATURDAY, end: '01:00' };
    const call = await wantedAgain(HOUR_MS / 2, { call_window });
    clock.setWall(now + HOUR_MS + 60_000);
    await end(call.id, 'busy');
    await makeWanted();
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(1);
    expect(await scheduled.get(PRINCIPAL, call.id)).toMatchObject({
      status: 'failed',
      reason: 'outside_calling_window',
    });
  });

  it('is put off to no other day when it is too late for it', async () => {
    const { rig, clock, wantedAgain, makeWanted, end } = await openSingleCallFixture();
    const now = clock.wallMs();
    const call = await wantedAgain(60_000);
    clock.setWall(now + 3 * HOUR_MS);
    await end(call.id, 'busy');
    // The calling hours begin in two hours.
    rig.rules.mode = 'enforce';
    rig.rules.window = { startMinute: 300, endMinute: 600, days: 127, timezone: 'UTC' };
    await makeWanted();
    await rig.pass(5_000);
    clock.setWall(now + 5 * HOUR_MS);
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(1);
  });
});

it('an immediate call deferred by the policy is shown with the deferred time', async () => {
  const { rig, scheduled } = await openSingleCallFixture({ maxConcurrentCalls: 1 });
  await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  const call = await rig.create({ to_phone: '+14155550199' });
  const window = { startMinute: 120, endMinute: 600, days: 127, timezone: 'UTC' };
  Object.assign(rig.rules, { mode: 'enforce', window });
  await rig.carrier.report('busy');
  await rig.until(async () => (await decisionsOf(rig, '+14155550199'))[0]?.verdict === 'defer');
  const told = {
    id: call.id,
    status: 'scheduled',
    scheduled_time: null,
    scheduled_at: '2026-11-21T02:00:00.000Z',
  };
  expect(await scheduled.get(PRINCIPAL, call.id)).toMatchObject(told);
  const { items } = await scheduled.list(PRINCIPAL, { cursor: null, limit: 10 });
  expect(items).toMatchObject([told]);
});
