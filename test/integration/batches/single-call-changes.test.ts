import { expect, it } from 'vitest';
import { toInstant } from '../../../src/kernel/time/clock.js';
import { openDesk } from '../../support/handle-desk.js';
import { PRINCIPAL } from '../../support/principal.js';

type Desk = Awaited<ReturnType<typeof openDesk>>;
type Word = 'scheduled' | 'paused' | 'cancelled' | 'completed';

const inAnHour = ({ clock }: Desk) => ({ scheduled_time: toInstant(clock.wallMs() + 3_600_000) });
async function ringing({ rig }: Desk) {
  const call = await rig.create();
  await rig.until(() => rig.carrier.placed.length === 1);
  return call;
}
async function over(desk: Desk) {
  const call = await ringing(desk);
  await desk.rig.carrier.report('busy');
  await desk.rig.reaches(call.id, 'failed');
  return call;
}

/** How a call of its own may stand, and how that comes about. */
const STANDINGS = {
  waiting: (desk: Desk) => desk.rig.create(inAnHour(desk)),
  async held(desk: Desk) {
    const call = await desk.rig.create(inAnHour(desk));
    await desk.change(call.id, { status: 'paused' });
    return call;
  },
  /** There is one line, and it is taken. */
  async 'in line'(desk: Desk) {
    await ringing(desk);
    const call = await desk.rig.create({ to_phone: '+14155550199' });
    await desk.rig.pass(2_000);
    return call;
  },
  ringing,
  async 'ringing, to be followed'(desk: Desk) {
    const call = await ringing(desk);
    await desk.change(call.id, inAnHour(desk));
    return call;
  },
  async 'over, to be followed'(desk: Desk) {
    const call = await ringing(desk);
    await desk.change(call.id, inAnHour(desk));
    await desk.rig.carrier.report('busy');
    await desk.rig.reaches(call.id, 'failed');
    return call;
  },
  failed: over,
  async cancelled(desk: Desk) {
    const call = await desk.rig.create(inAnHour(desk));
    await desk.change(call.id, { status: 'cancelled' });
    return call;
  },
};

/** What is answered to the words, in this order: how the handle is shown then, or null for a wrong moment. */
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
  const desk = await openDesk({ maxConcurrentCalls: 1 });
  const { id } = await STANDINGS[standing](desk);
  const before = await desk.scheduled.get(PRINCIPAL, id);
  const changing = desk.change(id, { name: 'N', status: word });
  if (shown === null) {
    await expect(changing).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await desk.scheduled.get(PRINCIPAL, id)).toEqual(before);
  } else {
    expect(await changing).toMatchObject({ status: shown, name: 'N' });
    const isOff = word === 'cancelled' || word === 'completed';
    desk.clock.setWall(desk.clock.wallMs() + 3_600_000);
    if (isOff) {
      const placed = desk.rig.carrier.placed.length;
      await desk.goOn();
      expect(desk.rig.carrier.placed).toHaveLength(placed);
    }
  }
});

it.each(['cancelled', 'completed'] as const)(
  'a call that is over is not called again by a time that comes with %s',
  async (status) => {
    const desk = await openDesk({ maxConcurrentCalls: 1 });
    const { id } = await over(desk);
    await expect(desk.change(id, { ...inAnHour(desk), status })).rejects.toMatchObject({
      code: 'invalid_state',
    });
    expect(await desk.scheduled.get(PRINCIPAL, id)).toMatchObject({ status: 'failed', last_call_id: id });
  },
);
