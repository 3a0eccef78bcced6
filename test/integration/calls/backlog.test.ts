import { describe, expect, it } from 'vitest';
import { CALLS_ENDED } from '#calls/record/call-progress.js';
import { DIAL_ATTEMPTS } from '#calls/dialling/call-placer.js';
import { JOBS_FINISHED } from '#calls/after-call/job-store.js';
import { CarrierError } from '#telephony/port/carrier.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';
import { databaseOn, engines } from '#test/support/engines.js';

describe.each(engines)('what an operator sees of calls on %s', (engine) => {
  async function openRig(): Promise<CallRig> {
    return CallRig.open({ maxConcurrentCalls: 2, ...(await databaseOn(engine)) });
  }

  it('are the queue by lane, and how long its first has waited', async () => {
    const rig = await openRig();
    const now = rig.clock.wallMs();
    const ofBatch = await rig.create();
    await rig.store.write(lookTransactions.putInLane, { callId: ofBatch.id, lane: 'batch' });
    await rig.clock.advance(1_000);
    await rig.create();
    await rig.create();
    await rig.create({ scheduled_time: new Date(now + 3_600_000).toISOString() });
    expect(await rig.callService.backlog()).toEqual({
      dialling: { single: { count: 2, oldestDueAt: now + 1_000 }, batch: { count: 1, oldestDueAt: now } },
      afterCall: { count: 0, oldestDueAt: null },
      recordingsToMove: { count: 0, bytes: 0 },
      carried: [],
    });
  });

  it('are the calls that are carried, by how far they are, and how they ended', async () => {
    const rig = await openRig();
    await rig.callService.start();
    const carried = async () => (await rig.callService.backlog()).carried;
    const call = await rig.talking();
    await rig.create();
    // That it rings is written after the carrier was asked, and on PostgreSQL beside what else is written.
    await rig.until(async () => (await carried()).some(({ state }) => state === 'ringing'));
    expect(await carried()).toEqual(
      expect.arrayContaining([
        { direction: 'outbound', state: 'live', count: 1 },
        { direction: 'outbound', state: 'ringing', count: 1 },
      ]),
    );
    await rig.carrier.report('busy');
    rig.conversations[0]!.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    await rig.until(async () => (await carried()).length === 0);
    // Others may read an end before whoever wrote it hears of the commit, and counts it.
    await rig.until(() => rig.counters.of(CALLS_ENDED).length === 2);
    expect(rig.counters.of(CALLS_ENDED)).toEqual(
      expect.arrayContaining([
        { labels: { status: 'failed', ended_reason: 'busy' }, value: 1 },
        { labels: { status: 'completed', ended_reason: 'agent_hangup' }, value: 1 },
      ]),
    );
  });

  it('are an end that is written twice, once', async () => {
    const rig = await openRig();
    await rig.callService.start();
    const { id } = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await rig.pass(500);
    await Promise.all([rig.carrier.report('busy'), rig.carrier.report('busy'), rig.carrier.report('busy')]);
    await rig.reaches(id, 'failed');
    await rig.until(() => rig.counters.of(CALLS_ENDED).length > 0);
    expect(rig.counters.of(CALLS_ENDED)).toEqual([
      { labels: { status: 'failed', ended_reason: 'busy' }, value: 1 },
    ]);
  });

  it('are what the carrier said when it was asked to dial', async () => {
    const rig = await openRig();
    await rig.callService.start();
    rig.carrier.answers.push(async () => {
      throw new CarrierError('not_dialled', 'refused', 'no credit');
    });
    const refused = await rig.create();
    await rig.reaches(refused.id, 'failed');
    await rig.create();
    await rig.until(() => rig.counters.of(DIAL_ATTEMPTS).length === 2);
    const said = rig.counters.of(DIAL_ATTEMPTS);
    expect(said).toContainEqual({ labels: { carrier: 'scripted', result: 'refused' }, value: 1 });
    expect(said).toContainEqual({ labels: { carrier: 'scripted', result: 'placed' }, value: 1 });
  });

  it('are the work after calls that waits, is done or was given up', async () => {
    const rig = await openRig();
    rig.analysis = async () => Promise.reject(new Error('no analysis'));
    await rig.callService.start();
    const call = await rig.talking();
    rig.conversations[0]!.end({ by: 'agent' });
    await rig.reaches(call.id, 'completed');
    await rig.until(() => rig.counters.of(JOBS_FINISHED).length === 1);
    await rig.until(async () => (await rig.callService.backlog()).afterCall.count === 1);
    await rig.pass(1_300_000, 10_000);
    await rig.until(() => rig.counters.of(JOBS_FINISHED).length === 2);
    expect(rig.counters.of(JOBS_FINISHED)).toEqual([
      { labels: { kind: 'recording', result: 'done' }, value: 1 },
      { labels: { kind: 'analysis', result: 'failed' }, value: 1 },
    ]);
    expect((await rig.callService.backlog()).afterCall).toEqual({ count: 0, oldestDueAt: null });
  });
});
