import { describe, expect, it } from 'vitest';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import type { DialAttempt } from '#calls/queue/dial-attempt.js';
import { lookTransactions } from '#test/support/call-look-transactions.js';
import { CallRig } from '#test/support/call-rig.js';

const NODE = 'node_slow';
const LEASE_MS = 45_000;

/** A process that has taken a call to be dialled, and does nothing more for a while. */
async function taken(leaseMs = LEASE_MS) {
  const rig = await CallRig.open();
  const call = await rig.create();
  const now = rig.clock.wallMs();
  const [attempt] = await rig.store.write(dialTransactions.claim, {
    nodeId: NODE,
    leaseUntil: now + leaseMs,
    now,
    limit: 1,
    forBatches: 0,
  });
  return { rig, call, attempt: attempt! };
}

/** The process goes on where it stood. */
function goOn(rig: CallRig, { id: attemptId, call_id: callId, ...attempt }: DialAttempt) {
  return rig.store.write(dialTransactions.begin, {
    mayHaveRung: false,
    providers: null,
    attemptId,
    callId,
    lease: { nodeId: NODE, leaseUntil: attempt.lease_until! },
    wanted: { at: attempt.wanted_at, dueAt: attempt.due_at, expiresAt: attempt.expires_at },
    deadlineAt: rig.clock.wallMs() + 30_000,
    carrier: 'scripted',
    defaultFromNumber: '+15550000000',
    rules: rig.rules,
    finish: rig.callService.txContexts.finish(callId, 'policy_blocked'),
  });
}

describe('a process that stands still between taking a call and dialling it', () => {
  it('dials it when it goes on in time', async () => {
    const { rig, attempt } = await taken();
    rig.clock.setWall(rig.clock.wallMs() + LEASE_MS - 1);
    expect(await goOn(rig, attempt)).toMatchObject({ kind: 'dial' });
  });

  it('dials nobody when its lease is over, and leaves the call to others', async () => {
    const { rig, call, attempt } = await taken();
    rig.clock.setWall(rig.clock.wallMs() + LEASE_MS);
    expect(await goOn(rig, attempt)).toEqual({ kind: 'not_ours' });
    await rig.callService.start();
    await rig.until(() => rig.carrier.placed.length === 1);
    expect(await rig.reaches(call.id, 'connecting')).toMatchObject({ ended_reason: null });
  });

  it('dials nobody whose time is over, however long its lease is', async () => {
    const { rig, call, attempt } = await taken(3_600_000);
    rig.clock.setWall(attempt.expires_at);
    expect(await goOn(rig, attempt)).toMatchObject({ kind: 'refused', call: { ended_reason: 'expired' } });
    const [after] = await rig.store.read(lookTransactions.attempts, { callId: call.id });
    expect(after).toMatchObject({ status: 'ended' });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });
});

describe('what a process has taken, and another turn of the same process has taken since then', () => {
  const takenAnew = async () => {
    const first = await taken();
    const now = first.attempt.lease_until!;
    await first.rig.store.write(dialTransactions.claimUnsettled, {
      nodeId: NODE,
      leaseUntil: now + LEASE_MS,
      now,
      limit: 1,
    });
    return first;
  };
  const attemptOf = async ({ rig, call }: Awaited<ReturnType<typeof takenAnew>>) =>
    (await rig.store.read(lookTransactions.attempts, { callId: call.id }))[0];

  it('is not dialled by the first', async () => {
    const first = await takenAnew();
    expect(await goOn(first.rig, first.attempt)).toEqual({ kind: 'not_ours' });
    expect(await attemptOf(first)).toMatchObject({ status: 'claimed' });
  });

  it('is not put back into the queue by the first', async () => {
    const first = await takenAnew();
    const { id: attemptId, due_at: dueAt, lease_until: leaseUntil } = first.attempt;
    const lease = { nodeId: NODE, leaseUntil: leaseUntil! };
    const again = { attemptId, lease, dueAt, mayHaveRung: false, at: first.rig.clock.wallMs() };
    await first.rig.store.write(dialTransactions.postpone, again);
    expect(await attemptOf(first)).toMatchObject({ status: 'claimed' });
  });
});

describe('a process that dies once its carrier was to hear of a call', () => {
  it('leaves one that the carrier had, and that is over: nobody talked', async () => {
    const { rig, call, attempt } = await taken();
    expect(await goOn(rig, attempt)).toMatchObject({ kind: 'dial' });
    rig.clock.setWall(rig.clock.wallMs() + LEASE_MS);
    rig.carrier.found = () => ({ found: true, providerCallId: 'line', status: 'completed' });
    await rig.callService.start();
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'server_crash' });
    expect(await rig.eventTypes(call.id)).toEqual(['call.initiated', 'call.failed']);
  });

  it('leaves one that may have rung, also where it was about to be asked for once more', async () => {
    const { rig, call, attempt } = await taken();
    expect(await goOn(rig, attempt)).toMatchObject({ kind: 'dial' });
    const { id: attemptId, due_at: dueAt } = attempt;
    const now = rig.clock.wallMs();
    const lease = { nodeId: NODE, leaseUntil: now + 30_000 };
    await rig.store.write(dialTransactions.postpone, { attemptId, lease, dueAt, mayHaveRung: true, at: now });
    const leaseUntil = now + LEASE_MS;
    await rig.store.write(dialTransactions.claim, { nodeId: NODE, leaseUntil, now, limit: 1, forBatches: 0 });
    rig.clock.setWall(leaseUntil);
    const window = { startMinute: 12 * 60, endMinute: 13 * 60, days: 127, timezone: 'UTC' };
    Object.assign(rig.rules, { mode: 'enforce', window });
    await rig.callService.start();
    expect(await rig.reaches(call.id, 'failed')).toMatchObject({ ended_reason: 'uncertain' });
  });
});

describe('somebody who calls in while calls are taken to be dialled', () => {
  it('has the last slot, and the call that was taken for it waits in the queue', async () => {
    const rig = await CallRig.open({ maxConcurrentCalls: 1 });
    const call = await rig.create();
    const write = rig.store.write.bind(rig.store);
    let isTold = false;
    rig.store.write = async (unit, args) => {
      const written = await write(unit, args);
      if ((unit as unknown) !== dialTransactions.claim || isTold || (written as DialAttempt[]).length === 0)
        return written;
      isTold = true;
      const arrived = {
        carrier: 'scripted',
        providerCallId: 'CA1',
        from: '+14155550188',
        to: '+14155550177',
      };
      expect(await rig.callService.carrierHost.receive(arrived)).toMatchObject({ kind: 'talk' });
      return written;
    };
    await rig.callService.start();
    await rig.until(() => isTold);
    await rig.pass(2_000);
    expect(rig.carrier.placed).toEqual([]);
    const [attempt] = await rig.store.read(lookTransactions.attempts, { callId: call.id });
    expect(attempt).toMatchObject({ status: 'pending', node_id: null });
    const over = { carrier: 'scripted', providerCallId: 'CA1', dialRef: null, status: 'completed' } as const;
    await rig.carrier.host!.report({ ...over, code: null, hungUpBy: 'customer', at: 0 });
    await rig.until(() => rig.carrier.placed.length === 1);
  });
});
