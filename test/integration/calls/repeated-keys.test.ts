import { describe, expect, it } from 'vitest';
import { BatchService } from '#batches/batch-service.js';
import { readIntake } from '#batches/intake/intake.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { PRINCIPAL } from '#test/support/principal.js';

const lost = () => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer'));
const NUMBER = '+14155550123';

/** A carrier that cannot say what became of a request, and rings nobody twice for one reference. */
async function rigWithKeys(): Promise<CallRig> {
  const rig = await CallRig.started({ maxConcurrentCalls: 1 });
  rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none', idempotentPlace: true };
  rig.carrier.answers.push(lost);
  return rig;
}

/** Another call takes the only slot as soon as it is free, before one that stands in the lane of batches. */
async function letAnotherCallTakeTheSlot(rig: CallRig): Promise<void> {
  await rig.until(() => rig.carrier.placed.length === 1);
  await rig.create({ to_phone: '+14155550199', timeout_seconds: 7_200, silence_timeout_seconds: 3_600 });
  await rig.until(() => rig.carrier.placed.length === 2);
  await rig.pickUp();
}

/** With which references a number was dialled. */
function referencesOf(rig: CallRig, number: string): string[] {
  return [...new Set(rig.carrier.placed.filter(({ to }) => to === number).map(({ dialRef }) => dialRef))];
}

function openBatches(rig: CallRig): BatchService {
  const { clock, ids, store, callService, rules } = rig;
  return new BatchService({
    store,
    clock,
    ids,
    log: rig.log.log,
    callService,
    schedules: { isScheduleId: () => false } as never,
    settings: {
      defaultTimezone: 'UTC',
      planningHorizonDays: 3_653,
      rules,
      callsPerSecond: Number.POSITIVE_INFINITY,
      maxConcurrentCalls: 1,
    },
  });
}

describe('a call that is asked for once more by the same reference, because nobody knows whether it rang', () => {
  it('keeps its reference when its batch is paused before its turn, and goes on', async () => {
    const rig = await rigWithKeys();
    const batches = openBatches(rig);
    batches.start();
    const body = new TextEncoder().encode(JSON.stringify({ to_number: [NUMBER] }));
    const answer = readIntake({ mode: 'strict', format: 'json', body, fields: {} });
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer));
    const { id } = await rig.settled(batches.batches.create(PRINCIPAL, answer.intake, () => null));
    await letAnotherCallTakeTheSlot(rig);
    await batches.batches.pause(PRINCIPAL, id);
    await rig.pass(2_000);
    await batches.batches.resume(PRINCIPAL, id);
    await rig.pass(2_000);
    rig.conversations[0]!.end({ by: 'agent' });
    await rig.until(() => rig.carrier.placed.length === 3);
    expect(referencesOf(rig, NUMBER)).toHaveLength(1);
    let isStopped = false;
    void batches.stop().then(() => (isStopped = true));
    await rig.until(() => isStopped);
  });

  it('ends as uncertain when no slot is free for it in time', async () => {
    const rig = await rigWithKeys();
    const call = await rig.create({ to_phone: NUMBER });
    await rig.store.write(lookTransactions.putInLane, { callId: call.id, lane: 'batch' });
    await letAnotherCallTakeTheSlot(rig);
    await rig.pass(400_000, 1_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'uncertain' });
  });

  it('ends as uncertain when its time was over before anybody could ask', async () => {
    const rig = await rigWithKeys();
    const call = await rig.create({ to_phone: NUMBER });
    await rig.until(() => rig.carrier.placed.length === 1);
    rig.clock.setWall(rig.clock.wallMs() + 400_000);
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'uncertain' });
    expect(rig.carrier.placed).toHaveLength(1);
  });

  it('ends as uncertain when the carrier takes no more calls until its time is over', async () => {
    const rig = await rigWithKeys();
    const tooMany = () =>
      Promise.reject(new CarrierError('not_dialled', 'rate_limited', 'too many', '429', 60_000));
    for (let i = 0; i < 10; i += 1) rig.carrier.answers.push(tooMany);
    const call = await rig.create({ to_phone: NUMBER });
    await rig.pass(400_000, 1_000);
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'uncertain' });
    expect(referencesOf(rig, NUMBER)).toHaveLength(1);
  });

  it('is not put off until the next calling hours: the phone may have rung already', async () => {
    const rig = await rigWithKeys();
    const call = await rig.create({ to_phone: NUMBER });
    await rig.until(() => rig.carrier.placed.length === 1);
    const window = { startMinute: 12 * 60, endMinute: 13 * 60, days: 127, timezone: 'UTC' };
    Object.assign(rig.rules, { mode: 'enforce', window });
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'uncertain' });
    expect(rig.carrier.placed).toHaveLength(1);
  });
});
