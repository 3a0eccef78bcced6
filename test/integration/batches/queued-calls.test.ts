import { expect, it } from 'vitest';
import { singleCallTransactions } from '#batches/scheduled-calls/single-call-changes.js';
import type { HandleChange } from '#batches/scheduled-calls/handle-change.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';

const wishOf = ({ ids, clock, rules }: BatchRig) => ({ dialId: ids.next('dial'), at: clock.wallMs(), rules });

/** Changes a call that the dialler has claimed and is about to dial. */
async function changeWhileClaimed(change: (now: number) => HandleChange) {
  const rig = await BatchRig.open();
  const [callId] = (await rig.make(1)).call_ids as [string];
  await rig.feed();
  const at = rig.clock.wallMs();
  const lease = { nodeId: 'node', leaseUntil: at + 30_000 };
  const [attempt] = await rig.store.write(dialTransactions.claim, {
    ...lease,
    now: at,
    limit: 1,
    forBatches: 0,
  });
  await rig.store.write(singleCallTransactions.change, { callId, ...wishOf(rig), change: change(at) });
  const begun = await rig.store.write(dialTransactions.begin, {
    mayHaveRung: false,
    providers: null,
    attemptId: attempt!.id,
    callId,
    lease,
    deadlineAt: at + 30_000,
    carrier: 'test',
    defaultFromNumber: '+15550000000',
    rules: LENIENT_RULES,
    wanted: { at: attempt!.wanted_at, dueAt: attempt!.due_at, expiresAt: attempt!.expires_at },
    finish: rig.txContexts.finish(callId, 'policy_blocked'),
  });
  const claimAt = (now: number) =>
    rig.store.write(dialTransactions.claim, { ...lease, now, limit: 1, forBatches: 0 });
  return { at, begun, claimAt, callId };
}

it('is not dialled at its old time when it is given a new one, however late', async () => {
  const hour = 3_600_000;
  const { at, begun, claimAt, callId } = await changeWhileClaimed((now) => ({
    time: { written: toInstant(now + hour), at: now + hour },
  }));
  expect(begun).toEqual({ kind: 'not_ours' });
  expect(await claimAt(at + hour - 1)).toEqual([]);
  expect(await claimAt(at + hour)).toMatchObject([{ call_id: callId, due_at: at + hour }]);
});

it('is not dialled when it is put on hold, however late', async () => {
  const { at, begun, claimAt } = await changeWhileClaimed(() => ({
    status: { word: 'paused', wanted: 'paused' },
  }));
  expect(begun).toEqual({ kind: 'not_ours' });
  expect(await claimAt(at + 60_000)).toEqual([]);
});

it('is not dialled hours late when it was on hold at its time, but at a new one', async () => {
  const rig = await BatchRig.open();
  const [callId] = (await rig.make(1)).call_ids as [string];
  const change = (wanted: HandleChange) => {
    return rig.store.write(singleCallTransactions.change, { callId, ...wishOf(rig), change: wanted });
  };
  const hold = { status: { word: 'paused', wanted: 'paused' } } as const;
  const arm = { status: { word: 'scheduled', wanted: 'scheduled' } } as const;
  const time = (at: number) => ({ time: { written: toInstant(at), at } });
  await change({ ...time(rig.clock.wallMs() + 60_000), ...hold });
  await rig.clock.advance(60_000 + 300_000);
  await change(arm);
  expect(await rig.queued()).toHaveLength(1);
  await change(hold);
  await rig.clock.advance(1);
  await expect(change(arm)).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await rig.queued()).toEqual([]);
  await change({ ...time(rig.clock.wallMs() + 60_000), ...arm });
  expect(await rig.queued()).toMatchObject([{ id: callId }]);
});
