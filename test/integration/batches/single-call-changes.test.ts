import { describe, expect, it } from 'vitest';
import { singleCallTransactions } from '#batches/scheduled-calls/single-call-changes.js';
import { Problem } from '#kernel/errors/errors.js';
import { toInstant } from '#kernel/time/clock.js';
import { decisionsOf } from '#test/support/decisions-of.js';
import { openSingleCallFixture } from '#test/support/single-call-fixture.js';
import { PRINCIPAL } from '#test/support/principal.js';

type Fixture = Awaited<ReturnType<typeof openSingleCallFixture>>;
type Word = 'scheduled' | 'paused' | 'cancelled' | 'completed';

const inAnHour = ({ clock }: Fixture) => ({ scheduled_time: toInstant(clock.wallMs() + 3_600_000) });
async function ringing({ rig }: Fixture) {
  const call = await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  return call;
}
async function over(fixture: Fixture) {
  const call = await ringing(fixture);
  await fixture.rig.carrier.report('busy');
  await fixture.rig.reaches(call.id, 'failed');
  return call;
}

/** Stages of a single call, and how to reach them. */
const STANDINGS = {
  waiting: (fixture: Fixture) => fixture.rig.create(inAnHour(fixture)),
  async held(fixture: Fixture) {
    const call = await fixture.rig.create(inAnHour(fixture));
    await fixture.change(call.id, { status: 'paused' });
    return call;
  },
  /** The only line is taken. */
  async 'in line'(fixture: Fixture) {
    await ringing(fixture);
    const call = await fixture.rig.create({ to_phone: '+14155550199' });
    await fixture.rig.pass(2_000);
    return call;
  },
  ringing,
  failed: over,
  async cancelled(fixture: Fixture) {
    const call = await fixture.rig.create(inAnHour(fixture));
    await fixture.change(call.id, { status: 'cancelled' });
    return call;
  },
};

/** The expected status per word, in this order; null for a refusal. */
const WORDS: Word[] = ['scheduled', 'paused', 'cancelled', 'completed'];
const ANSWERS: Record<keyof typeof STANDINGS, (string | null)[]> = {
  waiting: ['scheduled', 'paused', 'cancelled', 'completed'],
  held: ['scheduled', 'paused', 'cancelled', 'completed'],
  'in line': ['in_progress', null, 'cancelled', 'completed'],
  ringing: [null, null, 'cancelled', null],
  failed: [null, null, null, null],
  cancelled: [null, null, 'cancelled', 'completed'],
};

const CASES = Object.entries(ANSWERS).flatMap(([standing, answers]) =>
  WORDS.map((word, at) => [standing as keyof typeof STANDINGS, word, answers[at]!] as const),
);

it.each(CASES)('a call that is %s and is to be %s is shown as %s', async (standing, word, shown) => {
  const fixture = await openSingleCallFixture({ maxConcurrentCalls: 1 });
  const { id } = await STANDINGS[standing](fixture);
  const before = await fixture.scheduled.get(PRINCIPAL, id);
  const changing = fixture.change(id, { name: 'N', status: word });
  if (shown === null) {
    await expect(changing).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await fixture.scheduled.get(PRINCIPAL, id)).toEqual(before);
  } else {
    expect(await changing).toMatchObject({ status: shown, name: 'N' });
    const isOff = word === 'cancelled' || word === 'completed';
    fixture.clock.setWall(fixture.clock.wallMs() + 3_600_000);
    if (isOff) {
      const placed = fixture.rig.carrier.placed.length;
      await fixture.goOn();
      expect(fixture.rig.carrier.placed).toHaveLength(placed);
    }
  }
});

describe('a call that is over', () => {
  it('keeps its time and caller id: the present ones are no change, others are refused', async () => {
    const fixture = await openSingleCallFixture();
    const call = await fixture.rig.create(inAnHour(fixture));
    await fixture.change(call.id, { status: 'cancelled' });
    const { scheduled_time } = call as { scheduled_time: string };
    const present = { scheduled_time, from_number: call.from_phone };
    expect(await fixture.change(call.id, { name: 'N', ...present })).toMatchObject({
      name: 'N',
      status: 'cancelled',
    });
    const later = toInstant(fixture.clock.wallMs() + 7_200_000);
    for (const [field, other] of [
      ['scheduled_time', { scheduled_time: later }],
      ['scheduled_time', { scheduled_time: later, status: 'cancelled' as const }],
      ['from_number', { from_number: '+14155550177' }],
    ] as const)
      await expect(fixture.change(call.id, { name: 'M', ...other })).rejects.toMatchObject({
        code: 'invalid_state',
        message: `The ${field} of a call that is cancelled cannot be changed; schedule a new call instead.`,
      });
    expect(await fixture.scheduled.get(PRINCIPAL, call.id)).toMatchObject({ name: 'N', status: 'cancelled' });
    fixture.clock.setWall(fixture.clock.wallMs() + 7_200_000);
    await fixture.goOn();
    expect(fixture.rig.carrier.placed).toEqual([]);
  });

  it('has the time that was written, also where the policy has put it off', async () => {
    const { rig, clock, scheduled, change } = await openSingleCallFixture();
    rig.rules.mode = 'enforce';
    const startMinute = (Math.floor(clock.wallMs() / 3_600_000 + 3) % 24) * 60;
    rig.rules.window = { startMinute, endMinute: startMinute + 60, days: 127, timezone: 'UTC' };
    const scheduled_time = toInstant(clock.wallMs() + 600_000);
    const call = await rig.create({ scheduled_time });
    const shown = (await scheduled.get(PRINCIPAL, call.id)) as { scheduled_at: string };
    expect(shown.scheduled_at).not.toBe(scheduled_time);
    await change(call.id, { status: 'cancelled' });
    expect(await change(call.id, { name: 'Zoë', scheduled_time })).toMatchObject({ status: 'cancelled' });
  });
});

describe('a call that waits for a line', () => {
  it('is moved by a new time, and rings once', async () => {
    const { rig, clock, scheduled, change, goOn } = await openSingleCallFixture({ maxConcurrentCalls: 1 });
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const waiting = await rig.create({ to_phone: '+14155550199' });
    await rig.pass(2_000);
    await change(waiting.id, { scheduled_time: toInstant(clock.wallMs() + 3_600_000) });
    expect(await scheduled.get(PRINCIPAL, waiting.id)).toMatchObject({ status: 'scheduled' });
    await rig.carrier.report('busy');
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
    clock.setWall(clock.wallMs() + 3_600_000);
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.carrier.report('busy');
    await rig.reaches(waiting.id, 'failed');
    await goOn();
    expect(rig.carrier.placed.map(({ to }) => to).filter((to) => to === waiting.to_phone)).toHaveLength(1);
  });
});

describe('a handle that is deleted', () => {
  it('can be deleted again when the process has died before its call was ended', async () => {
    const fixture = await openSingleCallFixture();
    const { rig, clock, disconnects, remove, scheduled } = fixture;
    const call = await rig.create({ scheduled_time: toInstant(clock.wallMs() + 10_000) });
    const { disconnect } = disconnects;
    disconnects.disconnect = () => Promise.reject(new Problem('unavailable', 'The process is dead.'));
    await expect(remove(call.id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await scheduled.get(PRINCIPAL, call.id)).toMatchObject({ status: 'scheduled' });
    disconnects.disconnect = disconnect;
    expect(await remove(call.id)).toMatchObject({ status: 'cancelled', deleted: true });
    expect(await rig.call(call.id)).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled' });
    await rig.pass(15_000);
    expect(rig.carrier.placed).toEqual([]);
    expect(await rig.eventTypes(call.id)).toEqual(['call.failed']);
  });

  it('is unknown to a change at the same moment', async () => {
    const { rig, clock, store, remove } = await openSingleCallFixture();
    const { id: callId } = await ringing({ rig } as Fixture);
    await remove(callId);
    const at = clock.wallMs();
    const request = { callId, dialId: rig.ids.next('dial'), rules: rig.rules, at, change: { name: 'N' } };
    const changed = store.write(singleCallTransactions.change, request);
    await expect(changed).rejects.toMatchObject({ code: 'scheduled_call_not_found' });
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
