import { expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
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
  async 'ringing, to be followed'(fixture: Fixture) {
    const call = await ringing(fixture);
    await fixture.change(call.id, inAnHour(fixture));
    return call;
  },
  async 'over, to be followed'(fixture: Fixture) {
    const call = await ringing(fixture);
    await fixture.change(call.id, inAnHour(fixture));
    await fixture.rig.carrier.report('busy');
    await fixture.rig.reaches(call.id, 'failed');
    return call;
  },
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
  'ringing, to be followed': ['in_progress', null, 'cancelled', null],
  'over, to be followed': ['failed', null, 'failed', 'failed'],
  failed: [null, null, null, null],
  cancelled: ['scheduled', null, 'cancelled', 'completed'],
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

it.each(['cancelled', 'completed'] as const)(
  'a call that is over is not called again by a time that comes with %s',
  async (status) => {
    const fixture = await openSingleCallFixture({ maxConcurrentCalls: 1 });
    const { id } = await over(fixture);
    await expect(fixture.change(id, { ...inAnHour(fixture), status })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await fixture.scheduled.get(PRINCIPAL, id)).toMatchObject({ status: 'failed', last_call_id: id });
  },
);
