import { beforeEach, describe, expect, it } from 'vitest';
import type { CallSteering } from '#calls/live/actions/call-steering.js';
import type { LiveSession } from '#calls/live/sessions/live-session.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const TO = '+14155550155';

let rig: CallRig;
let steering: CallSteering;
beforeEach(async () => {
  rig = await CallRig.started();
  ({ steering } = rig.callService);
});

const actions: Record<string, (id: string, principal?: typeof PRINCIPAL) => Promise<unknown>> = {
  say: (id, who = PRINCIPAL) => steering.say(who, id, { text: 'One moment.', interrupt: true }),
  context: (id, who = PRINCIPAL) => steering.context(who, id, 'They have paid.'),
  mute: (id, who = PRINCIPAL) => steering.mute(who, id),
  unmute: (id, who = PRINCIPAL) => steering.unmute(who, id),
  take_over: (id, who = PRINCIPAL) => steering.takeOver(who, id),
  hand_back: (id, who = PRINCIPAL) => steering.handBack(who, id),
};

const logOf = async (id: string) =>
  (await rig.callService.calls.events(PRINCIPAL, id))
    .filter(({ type }) => type === 'steered')
    .map(({ data }) => data);

describe.each(Object.entries(actions))('%s', (action, act) => {
  it('is done in the live call, and its log tells who did it', async () => {
    const { id } = await rig.talking();
    expect(await act(id)).toMatchObject({ callId: id, mode: 'agent' });
    expect(rig.conversations[0]!.steered).toHaveLength(1);
    expect(await logOf(id)).toEqual([{ action, by: 'Test', principal_id: 'key_test' }]);
  });

  it('is refused where the call is not live, is of others, or stands where it cannot be done', async () => {
    const waiting = await rig.create();
    await expect(act(waiting.id)).rejects.toMatchObject({ code: 'invalid_state' });
    const { id } = await rig.talking();
    const stranger = { ...PRINCIPAL, workspace: 'another' };
    await expect(act(id, stranger)).rejects.toMatchObject({ code: 'call_not_found' });
    for (const conversation of rig.conversations) conversation.canBeSteered = false;
    await expect(act(id)).rejects.toMatchObject({ code: 'invalid_state' });
    expect(await logOf(id)).toEqual([]);
  });
});

it('hands the line over at the carrier, and says so where that fails', async () => {
  const { id } = await rig.talking();
  const transfer = rig.carrier.transfer.bind(rig.carrier);
  rig.carrier.transfer = () => Promise.reject(new CarrierError('not_dialled', 'refused', 'not now'));
  await expect(rig.settled(steering.transfer(PRINCIPAL, id, TO))).rejects.toMatchObject({
    code: 'invalid_state',
    message: /was not handed over/,
  });
  rig.carrier.transfer = transfer;
  await rig.settled(steering.transfer(PRINCIPAL, id, TO));
  expect(rig.carrier.transfers).toMatchObject([{ to: TO }]);
  expect(await logOf(id)).toHaveLength(2);
});

it('lets others hear both sides, until the call is over', async () => {
  const { id } = await rig.talking();
  const session = (await steering.locate(PRINCIPAL, id)) as LiveSession;
  let isOver = false;
  session.listen({ onSound: () => {}, onEnd: () => (isOver = true) });
  rig.conversations[0]!.end({ by: 'agent' });
  await rig.reaches(id, 'completed');
  expect(isOver).toBe(true);
});
