import { describe, expect, it } from 'vitest';
import type { HandleChange } from '#batches/scheduled-calls/handle-change.js';
import { dialTransactions } from '#calls/dialling/dial-store.js';
import { suppressedCallTransactions } from '#calls/endings/suppressed-call-store.js';
import { callTransactions } from '#calls/call-store.js';
import { watchTransactions } from '#calls/watch/watch-store.js';
import { toInstant } from '#kernel/time/clock.js';
import { batchLookTransactions } from '#test/support/batch-look-transactions.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { LENIENT_RULES } from '#test/support/lenient-rules.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const RETRY = { max_retries: 2, retry_delay: 60 };
const HELD = { nodeId: 'node', leaseUntil: Number.MAX_SAFE_INTEGER };

/** A batch of one number that was busy once: its second call is queued. */
async function furtherCallQueued() {
  const rig = await BatchRig.open();
  const { id, call_ids: ids } = await rig.make(1, { retry_policy: RETRY });
  await rig.feed();
  await rig.callAll('busy');
  await rig.clock.advance(60_000);
  await rig.feed();
  const [further] = await rig.queued();
  const change = (wanted: HandleChange) => rig.changeNumber(id, ids[0]!, wanted);
  return { rig, id, own: ids[0]!, further: further!.id, change };
}

/** The dialler claims the call and writes `dialling`; policy or carrier may refuse it afterwards. */
async function begin(rig: BatchRig, rules = LENIENT_RULES) {
  const at = rig.clock.wallMs();
  const [attempt] = await rig.store.write(dialTransactions.claim, {
    ...HELD,
    now: at,
    limit: 1,
    forBatches: 1,
  });
  const { id: attemptId, call_id: callId } = attempt!;
  const begun = await rig.store.write(dialTransactions.begin, {
    mayHaveRung: false,
    providers: null,
    attemptId,
    callId,
    lease: HELD,
    deadlineAt: at + 30_000,
    carrier: 'test',
    defaultFromNumber: '+15550000000',
    rules,
    wanted: { at: attempt!.wanted_at, dueAt: attempt!.due_at, expiresAt: attempt!.expires_at },
    finish: rig.txContexts.finish(callId, 'policy_blocked'),
  });
  return { attemptId, callId, kind: begun.kind };
}

/** The carrier refuses calls for now. */
async function refuseForNow(rig: BatchRig): Promise<string> {
  const { attemptId, callId } = await begin(rig);
  const at = rig.clock.wallMs();
  const lease = { ...HELD, leaseUntil: at + 30_000 };
  await rig.store.write(dialTransactions.postpone, {
    attemptId,
    lease,
    dueAt: at + 2_000,
    mayHaveRung: false,
    at,
  });
  return callId;
}

const queuedIds = async (rig: BatchRig) => (await rig.queued()).map((call) => call.id);

describe('the call of a further attempt that is taken out of the queue', () => {
  it('is dialled once its batch is resumed, and announced once', async () => {
    const { rig, id, further } = await furtherCallQueued();
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([]);
    expect(await rig.events(further)).toEqual([]);
    await rig.clock.advance(HOUR_MS);
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([further]);
    await rig.callAll('customer_hangup');
    expect((await rig.counts()).calls).toBe(2);
    expect((await rig.events(further)).filter((type) => type === 'call.failed')).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 1 });
  });

  it('was no attempt yet: its number is tried as often as it may be', async () => {
    const { rig, id } = await furtherCallQueued();
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    await rig.callAll('busy');
    expect(await rig.read(id)).toMatchObject({ status: 'in_progress', pending_calls: 1, failed_calls: 0 });
  });

  it('is dialled when the policy wants it, which has put it off', async () => {
    const { rig, id, further } = await furtherCallQueued();
    const caps = [{ attempts: 1, hours: 24 }];
    await rig.sql(
      `insert into number_decisions (workspace, phone_number, decided_at, subject_id, moment, mode, verdict)
       values ('${PRINCIPAL.workspace}', '+14151000000', ${rig.clock.wallMs()}, 'dial_other', 'dialling', 'enforce', 'dial')`,
    );
    expect(await begin(rig, { ...LENIENT_RULES, mode: 'enforce', caps })).toMatchObject({ kind: 'deferred' });
    await rig.settle();
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([]);
    expect(await rig.events(further)).toEqual([]);
    await rig.clock.advance(25 * HOUR_MS);
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([further]);
    await rig.callAll('customer_hangup');
    expect((await rig.counts()).calls).toBe(2);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 1 });
  });

  it('takes the time and the caller id that its number is given', async () => {
    const { rig, further, change } = await furtherCallQueued();
    const at = rig.clock.wallMs() + HOUR_MS;
    await change({ time: { written: toInstant(at), at }, from: '+14155550177' });
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([]);
    await rig.clock.advance(HOUR_MS);
    await rig.feed();
    expect(await rig.queued()).toMatchObject([{ id: further, from: '+14155550177' }]);
  });

  it.each(['callee', 'batch'])('ends once, when its %s is called off', async (what) => {
    const { rig, id, further, change } = await furtherCallQueued();
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    if (what === 'batch') await rig.batches.cancel(PRINCIPAL, id);
    else await change({ status: { word: 'cancelled', wanted: 'cancelled' } });
    await rig.feed();
    expect(await rig.events(further)).toEqual(['call.failed']);
    expect(await rig.store.read(batchLookTransactions.unended, {})).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ cancelled_calls: 1, pending_calls: 0, live_calls: 0 });
  });

  it('has no further attempt after a cancellation that the batch has not settled yet', async () => {
    const { rig, id, further } = await furtherCallQueued();
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    await rig.end(further, 'cancelled');
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feedOnce();
    expect((await rig.counts()).calls).toBe(2);
    await rig.settle();
    expect(await rig.read(id)).toMatchObject({ cancelled_calls: 1, live_calls: 0, pending_calls: 0 });
  });

  it('ends when its number may not be called any more, and so does its number', async () => {
    const { rig, id, further } = await furtherCallQueued();
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    await rig.suppress('+14151000000');
    const details = rig.txContexts.finish(further, 'suppressed');
    await rig.store.write(suppressedCallTransactions.end, { callId: further, details, rules: LENIENT_RULES });
    await rig.batches.resume(PRINCIPAL, id);
    // The batch has not settled it yet.
    await rig.feedOnce();
    expect((await rig.counts()).calls).toBe(2);
    await rig.settle();
    await rig.feed();
    expect(await rig.events(further)).toEqual(['call.failed']);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', skipped_calls: 1 });
  });
});

describe('a call that the carrier did not want a moment ago, and whose batch is paused then', () => {
  async function refusedAndPaused() {
    const rig = await BatchRig.open();
    const { id } = await rig.make(1);
    await rig.feed();
    const callId = await refuseForNow(rig);
    await rig.batches.pause(PRINCIPAL, id);
    await rig.feed();
    expect(await queuedIds(rig)).toEqual([]);
    return { rig, id, callId };
  }

  it('waits without a node', async () => {
    const { rig, callId } = await refusedAndPaused();
    expect(await rig.events(callId)).toEqual(['call.initiated']);
    expect(await rig.store.read(watchTransactions.underWay, { nodeId: HELD.nodeId })).toEqual([]);
    expect(await rig.store.read(watchTransactions.orphans, { after: null, folderId: 'folder_1' })).toEqual(
      [],
    );
  });

  it('is dialled when it is resumed, as one call that begins then', async () => {
    const { rig, id, callId } = await refusedAndPaused();
    await rig.clock.advance(HOUR_MS);
    await rig.batches.resume(PRINCIPAL, id);
    await rig.feed();
    const begunAt = rig.clock.wallMs();
    expect(await begin(rig)).toMatchObject({ callId, kind: 'dial' });
    await rig.clock.advance(5_000);
    await rig.end(callId, 'customer_hangup');
    await rig.settle();
    expect((await rig.counts()).calls).toBe(1);
    const call = await rig.store.read(callTransactions.get, { workspace: PRINCIPAL.workspace, id: callId });
    expect(call).toMatchObject({ started_at: begunAt });
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 1 });
  });
});
