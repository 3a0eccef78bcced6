import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { nodeTransactions } from '#calls/watch/node-store.js';
import { watchTransactions } from '#calls/watch/watch-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { providerIdOf, ScriptedCarrier } from '#test/support/scripted-carrier.js';

const completed = { dialRef: null, status: 'completed', code: null, hungUpBy: 'customer', at: 0 } as const;

/** The database is a file, which only one process may open: whoever comes next knows that all others are dead. */
const openRig = () => CallRig.open({ databaseUrl: `sqlite:${join(temporaryFolder(), 'callwright.db')}` });

/** A process that stopped existing: nothing of it runs on, and nothing was tidied up. */
async function abandoned(prepare: (rig: CallRig) => Promise<string>) {
  const rig = await openRig();
  await rig.callService.start();
  const callId = await prepare(rig);
  const before = rig.carrier.placed.length;
  const next = rig.build();
  await next.start();
  await rig.pass(100);
  return { rig, callId, before };
}

describe('what a dead process left behind', () => {
  it('a talk is ended with a reason, at the time its recording ends, and hung up', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.talking();
      await fresh.pass(4_000);
      return call.id;
    });
    const ended = await rig.call(callId);
    expect(ended).toMatchObject({ status: 'failed', ended_reason: 'server_crash', fault: 'platform' });
    expect(ended.ended_at! - ended.answered_at!).toBe(2_000);
    expect(rig.carrier.hungUp).toHaveLength(1);
    const types = await rig.eventTypes(callId);
    expect(types.filter((type) => /completed|failed/.test(type))).toEqual(['call.failed']);
    const told = rig.log.lines.filter(({ msg }) => msg === 'call of a dead process was ended');
    expect(told.map(({ level, call_id }) => [level, call_id])).toEqual([['warn', callId]]);
  });

  it('a talk whose line was handed over was transferred, and its line is left alone', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.talking();
      // The last words were still waited for.
      expect(await fresh.conversations.at(-1)!.transfer('+14155550100')).toBe(true);
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'completed', ended_reason: 'transferred' });
    expect(rig.carrier.hungUp).toEqual([]);
    expect((await rig.eventTypes(callId)).filter((type) => /completed|failed/.test(type))).toEqual([
      'call.completed',
    ]);
  });

  it('a talk whose line was not handed over yet is hung up', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.talking();
      fresh.carrier.transferAnswers.push(() => new Promise(() => {}));
      void fresh.conversations.at(-1)!.transfer('+14155550100');
      await fresh.until(() => fresh.carrier.transfers.length === 1);
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    expect(rig.carrier.hungUp).toHaveLength(1);
  });

  it('whoever was calling in, and had no socket yet, is hung up on, once', async () => {
    let token = '';
    const arrived = { carrier: 'scripted', providerCallId: 'CA1', from: '+14155550188', to: '+14155550177' };
    const { rig, callId } = await abandoned(async (fresh) => {
      const reception = await fresh.callService.carrierHost.receive(arrived);
      if (reception.kind !== 'talk') throw new Error('nobody answers');
      token = reception.stream.parameters['token']!;
      return reception.stream.parameters['call_id']!;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    expect(rig.carrier.hungUp).toEqual(['CA1']);
    expect(await rig.eventTypes(callId)).toEqual(['call.failed']);

    await expect(rig.openStream({ kind: 'token', token })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await rig.carrier.host!.report({ ...completed, ...arrived })).toBeUndefined();
    expect(await rig.callService.carrierHost.receive(arrived)).toEqual({ kind: 'over' });
    await rig.build().start();
    expect(rig.carrier.hungUp).toHaveLength(1);
    expect(await rig.eventTypes(callId)).toHaveLength(1);
  });

  it('a phone that still rings is taken over', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(async () => (await fresh.call(call.id)).provider_call_id !== null);
      fresh.carrier.found = (dialRef) => ({
        found: true,
        providerCallId: providerIdOf(dialRef),
        status: 'ringing',
      });
      return call.id;
    });
    expect((await rig.call(callId)).ended_at).toBeNull();
    await rig.carrier.report('busy');
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
  });

  it('somebody who has just picked up is taken over, and hears the agent', async () => {
    let token = '';
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(() => fresh.carrier.placed.length === 1);
      token = (await fresh.carrier.answer())!.parameters['token']!;
      fresh.carrier.found = (dialRef) => ({
        found: true,
        providerCallId: providerIdOf(dialRef),
        status: 'answered',
      });
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'connected', ended_at: null });
    expect(rig.carrier.hungUp).toEqual([]);
    await rig.openStream({ kind: 'token', token });
    await rig.pass(20_000);
    expect(await rig.call(callId)).toMatchObject({ status: 'active', ended_reason: null });
  });

  it('somebody who had picked up, and has hung up since then, is no talk', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(() => fresh.carrier.placed.length === 1);
      await fresh.carrier.answer();
      fresh.carrier.found = (dialRef) => ({
        found: true,
        providerCallId: providerIdOf(dialRef),
        status: 'completed',
      });
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
  });

  it('a phone that the carrier knows nothing of any more is a call that was interrupted', async () => {
    const { rig, callId } = await abandoned(async (fresh) => {
      const call = await fresh.create();
      await fresh.until(async () => (await fresh.call(call.id)).provider_call_id !== null);
      return call.id;
    });
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
  });

  it('does not keep a process from starting and living when the carrier says nothing about it', async () => {
    const rig = await openRig();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    rig.carrier.lookUp = () => new Promise(() => {});
    await rig.build().start();
    await rig.pass(7_000);
    const beats = await rig.store.read(lookTransactions.heartbeats, {});
    expect(Math.max(...beats)).toBeGreaterThan(rig.clock.wallMs() - 5_000);
    expect((await rig.call(call.id)).ended_at).toBeNull();
  });

  it('is recovered though the carrier says nothing about another call', async () => {
    const rig = await openRig();
    await rig.callService.start();
    const silent = await rig.create();
    await rig.until(async () => (await rig.call(silent.id)).provider_call_id !== null);
    const talk = await rig.talking({ to_phone: '+14155550124' });
    rig.carrier.lookUp = () => new Promise(() => {});
    rig.carrier.hangUp = () => new Promise(() => {});
    await rig.build().start();
    await rig.pass(100);
    expect(await rig.call(talk.id)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    expect((await rig.call(silent.id)).ended_at).toBeNull();
  });

  it('is found page by page', async () => {
    const rig = await openRig();
    await rig.callService.start();
    for (const digit of [1, 2, 3]) await rig.talking({ to_phone: `+1415555012${digit}` });
    await rig.store.write(nodeTransactions.leave, {
      id: (await rig.store.read(nodeTransactions.others, { id: '' }))[0]!.id,
    });
    const all = await rig.store.read(watchTransactions.orphans, { after: null, folderId: 'folder_1' });
    expect(all).toHaveLength(3);
    expect(await rig.store.read(watchTransactions.orphans, { after: all[0]!, folderId: 'folder_1' })).toEqual(
      all.slice(1),
    );
    expect(await rig.store.read(watchTransactions.orphans, { after: all[2]!, folderId: 'folder_1' })).toEqual(
      [],
    );
  });

  it('a request whose answer never came is not made again of another carrier', async () => {
    const rig = await openRig();
    // A carrier that knows repeated requests, and cannot say for sure what it knows nothing of.
    rig.carrier.traits = { ...rig.carrier.traits, lookUp: 'best_effort', idempotentPlace: true };
    rig.carrier.answers.push(() => new Promise(() => {}));
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const other = new ScriptedCarrier('other');
    rig.carriers = [other, rig.carrier];
    await rig.build().start();
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'uncertain' });
    await rig.pass(60_000, 2_000);
    expect([rig.carrier.placed.length, other.placed.length]).toEqual([1, 0]);
  });

  it('a request whose answer never came is looked up, and not simply made again', async () => {
    const { rig, callId, before } = await abandoned(async (fresh) => {
      fresh.carrier.answers.push(() => new Promise(() => {}));
      const call = await fresh.create();
      await fresh.until(() => fresh.carrier.placed.length === 1);
      return call.id;
    });
    expect(before).toBe(1);
    await rig.until(() => rig.carrier.lookedUp.length >= 1);
    expect(rig.carrier.placed).toHaveLength(1);
    expect((await rig.call(callId)).ended_at).toBeNull();
    await rig.pass(17_000);
    await rig.until(() => rig.carrier.placed.length === 2);
    expect(rig.carrier.placed[1]!.dialRef).toBe(rig.carrier.placed[0]!.dialRef);
  });

  it.each([
    ['somebody takes over', 'active'],
    ['is picked up', 'connected'],
  ])('a call that %s while its carrier is asked goes on', async (_, status) => {
    const rig = await openRig();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    let answerLookUp: (() => void) | null = null;
    rig.carrier.lookUp = () => new Promise((resolve) => (answerLookUp = () => resolve({ found: false })));
    const next = rig.build();
    await next.start();
    await rig.until(() => answerLookUp !== null);
    if (status === 'active') await rig.pickUp(next);
    else await rig.carrier.answer();
    answerLookUp!();
    await rig.pass(100);
    expect(await rig.call(call.id)).toMatchObject({ status, ended_at: null });
    expect(rig.carrier.hungUp).toEqual([]);
  });

  it('is hung up side by side, beside the start of the process', async () => {
    const rig = await openRig();
    await rig.callService.start();
    for (const digit of [1, 2, 3, 4]) await rig.talking({ to_phone: `+1415555012${digit}` });
    rig.carrier.hangUp = (line) => {
      rig.carrier.hungUp.push(line);
      return new Promise(() => {});
    };
    await rig.build().start();
    await rig.until(() => rig.carrier.hungUp.length === 4);
  });

  it('is over when its phone cannot ring any more, though the carrier cannot be asked', async () => {
    const rig = await openRig();
    await rig.callService.start();
    const call = await rig.create();
    await rig.until(async () => (await rig.call(call.id)).provider_call_id !== null);
    rig.carrier.lookUp = () => Promise.reject(new CarrierError('not_dialled', 'refused', 'no', '401'));
    await rig.build().start();
    await rig.pass(100);
    expect((await rig.call(call.id)).ended_at).toBeNull();
    rig.clock.setWall(rig.clock.wallMs() + 80_000);
    await rig.build().start();
    await rig.pass(100);
    expect(await rig.call(call.id)).toMatchObject({ status: 'failed', ended_reason: 'server_crash' });
    expect(rig.carrier.hungUp).toHaveLength(1);
  });

  it.each([
    ['was not dialled in time', 310_000, null],
    ['might have waited for a day', 340_000, 86_400_000],
  ])('is given up when it %s, though the carrier cannot be asked', async (_, laterMs, patienceMs) => {
    const { rig, callId } = await abandoned(async (fresh) => {
      fresh.carrier.answers.push(() => new Promise(() => {}));
      const call = await fresh.create();
      await fresh.until(() => fresh.carrier.placed.length === 1);
      fresh.carrier.lookUp = () => Promise.reject(new CarrierError('unknown', 'server_error', 'down', '500'));
      if (patienceMs !== null)
        await fresh.store.write(lookTransactions.waitUntil, {
          callId: call.id,
          at: fresh.clock.wallMs() + patienceMs,
        });
      return call.id;
    });
    rig.clock.setWall(rig.clock.wallMs() + laterMs);
    await rig.pass(35_000);
    expect(await rig.call(callId)).toMatchObject({ status: 'failed', ended_reason: 'uncertain' });
    expect(rig.carrier.placed).toHaveLength(1);
  });
});
