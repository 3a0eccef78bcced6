import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { retryReasonsOf } from '#schedules/record/retry.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { CallRig } from '#test/support/call-rig.js';
import { providerIdOf } from '#test/support/scripted-carrier.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const lost = () => Promise.reject(new CarrierError('unknown', 'timeout', 'no answer'));

describe('a line that the carrier has told of', () => {
  it('is kept, though the store could not take it in at first', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    rig.store.missing = dialTransactions.placed as never;
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(30_000);
    const line = providerIdOf(rig.carrier.placed[0]!.dialRef);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', provider_call_id: line });
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it('is hung up where it cannot be kept', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    const write = rig.store.write.bind(rig.store);
    rig.store.write = (unit, args) =>
      (unit as unknown) === dialTransactions.placed ? Promise.reject(new Error('no')) : write(unit, args);
    const call = await rig.create();
    await rig.until(() => rig.carrier.hungUp.length === 1);
    expect(rig.carrier.hungUp).toEqual([providerIdOf(rig.carrier.placed[0]!.dialRef)]);
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'uncertain' });
  });
});

describe('a look-up that is late', () => {
  it('does not end a call that went on meanwhile', async () => {
    const rig = await CallRig.open({ databaseUrl: `sqlite:${join(temporaryFolder(), 'callwright.db')}` });
    rig.carrier.answers.push(() => new Promise(() => {}));
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const { dialRef } = rig.carrier.placed[0]!;
    const asked: (() => void)[] = [];
    const over = { found: true, providerCallId: providerIdOf(dialRef), status: 'completed' } as const;
    rig.carrier.lookUp = () => new Promise((resolve) => void asked.push(() => resolve(over)));
    const next = rig.build();
    await next.start();
    await rig.until(() => asked.length > 0);
    await rig.pickUp(next);
    await rig.pass(2_000);
    asked[0]!();
    expect(await rig.reaches(call.id, 'completed')).toMatchObject({ ended_reason: 'customer_hangup' });
  });
});

describe('a call that was about to be dialled when the database went away', () => {
  it('is dialled when it is back, though its mark was written and the answer was lost', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    const write = rig.store.write.bind(rig.store);
    let isLost = false;
    rig.store.write = async (unit, args) => {
      const result = await write(unit, args);
      if (isLost || (unit as unknown) !== dialTransactions.begin) return result;
      isLost = true;
      throw new Problem('unavailable', 'The database is not available now.');
    };
    const call = await rig.create();
    await rig.pass(60_000, 2_000);
    expect(rig.carrier.placed).toHaveLength(1);
    expect(await rig.call(call.id)).toMatchObject({ status: 'connecting', ended_reason: null });
  });
});

describe('a call of which nobody knows whether it rang', () => {
  it('ends as uncertain, which is never tried again, also when its carrier cannot be asked', async () => {
    const rig = await CallRig.started();
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'best_effort' };
    rig.carrier.answers.push(lost);
    rig.carrier.found = () => {
      throw new CarrierError('unknown', 'server_error', 'down');
    };
    const call = await rig.create();
    await rig.pass(400_000, 1_000);
    const { ended_reason } = await rig.call(call.id);
    expect(ended_reason).toBe('uncertain');
    expect(retryReasonsOf('uncertain')).toEqual([]);
    expect(rig.carrier.placed).toHaveLength(1);
  });

  it('keeps no slot once it is given up', async () => {
    const rig = await CallRig.started({ maxConcurrentCalls: 1 });
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'none' };
    rig.carrier.answers.push(lost);
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.create({ to_phone: '+14155550199' });
    await rig.reaches(call.id, 'failed');
    await rig.pass(900);
    expect(rig.carrier.placed).toHaveLength(2);
  });

  it('is looked up twice after each request that was lost, before it is dialled again', async () => {
    const rig = await CallRig.started();
    rig.carrier.answers.push(lost, lost);
    await rig.create();
    for (let i = 0; i < 100 && rig.carrier.placed.length < 2; i += 1) await rig.pass(500);
    expect(rig.carrier.lookedUp).toHaveLength(2);
    for (let i = 0; i < 100 && rig.carrier.placed.length < 3; i += 1) await rig.pass(500);
    expect(rig.carrier.lookedUp).toHaveLength(4);
  });
});
