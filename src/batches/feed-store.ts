import { moveCall, type Moment } from '../calls/call-progress.js';
import { lockCall, setColumns } from '../calls/call-store.js';
import { createCall } from '../calls/create-call.js';
import { enqueueAttempt } from '../calls/dial-queue.js';
import type { CallRow } from '../calls/call.js';
import { askPolicy } from '../policy/decision-store.js';
import { rulesWith, type PolicyRules } from '../policy/policy-rules.js';
import { defineUnits, type Tx } from '../store/unit.js';
import { isOver } from './batch-machine.js';
import { progressBatch, type BatchMoment } from './batch-progress.js';
import { changeBatch, changeRecipient, lockBatch, recipientsWhere } from './batch-rows.js';
import { BatchRow, type RecipientRow } from './batch.js';
import { FULL_QUEUE, nextTurn, type Turn } from './pacing.js';

/** Numbers of a given-up batch that are closed in one transaction. */
const NUMBERS_PER_SWEEP = 100;

/** A number whose turn it is, with what is needed to call it. */
export interface Pick {
  position: number;
  /** The call that is dialled: the number's own, or a fresh one for a further try. */
  callId: string;
  /** The reference of the attempt. */
  dialId: string;
  moment: Moment;
}

/** What the feeder finds when it looks at a batch. */
export interface Sight {
  /** What is to be done: take an unfinished batch away, close one that was given up, or call. */
  todo: 'clear' | 'sweep' | 'feed' | 'nothing';
  /** Numbers whose turn it is. */
  turns: { position: number; callId: string; isFirstTry: boolean }[];
}

export const feedUnits = defineUnits('feeds', {
  /** Takes batches that want to be looked at; nobody else looks at them until `leaseUntil`. */
  async claim(tx, args: { now: number; leaseUntil: number; limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `update batches set feed_at = ? where id in (
         select id from batches where feed_at is not null and feed_at <= ?
         order by feed_at, id limit ?${tx.dialect.skipLocked}
       ) returning id`,
      args.leaseUntil,
      args.now,
      args.limit,
    );
    return rows.map((row) => String(row['id'])).sort();
  },

  async nextFeedAt(tx): Promise<number | null> {
    const row = await tx.get('select min(feed_at) as feed_at from batches where feed_at is not null');
    return typeof row?.['feed_at'] === 'number' ? row['feed_at'] : null;
  },

  async look(tx, args: { batchId: string; now: number }): Promise<Sight> {
    const row = await tx.get('select * from batches where id = ?', args.batchId);
    if (!row) return { todo: 'nothing', turns: [] };
    const batch = BatchRow.parse(row);
    if (batch.status === 'loading') return { todo: 'clear', turns: [] };
    if (isOver(batch.status)) return { todo: batch.waiting > 0 ? 'sweep' : 'nothing', turns: [] };
    const { release: room } = await turnOf(tx, batch, args.now);
    const due = await dueRecipients(tx, batch, args.now, room);
    const turns = due.map(({ position, call_id: callId, status }) => ({
      position,
      callId,
      isFirstTry: status === 'pending',
    }));
    return { todo: 'feed', turns };
  },

  /** Puts numbers whose turn it is into the dialler's queue. Returns how many. */
  async release(
    tx,
    args: { batchId: string; picks: readonly Pick[]; rules: PolicyRules; moment: BatchMoment },
  ): Promise<number> {
    const { at } = args.moment;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || isOver(batch.status) || batch.status === 'loading' || batch.status === 'paused') return 0;
    const { release: room } = await turnOf(tx, batch, at);
    const fates: Fate[] = [];
    for (const pick of args.picks.slice(0, room))
      fates.push(await callOne(tx, batch, pick, { at, rules: args.rules }));
    const released = fates.filter((fate) => fate === 'released').length;
    const skipped = fates.filter((fate) => fate === 'skipped').length;
    const fed = await progressBatch(
      tx,
      batch,
      {
        waiting: batch.waiting - released - skipped,
        in_flight: batch.in_flight + released,
        skipped: batch.skipped + skipped,
      },
      args.moment,
    );
    if (fed.ended_at === null) await plan(tx, fed, at);
    return released;
  },

  /** Closes some of the numbers that a cancelled or aborted batch will not call any more. */
  async sweep(tx, args: { batchId: string; moment: BatchMoment; unannounced: Moment }): Promise<void> {
    const { at } = args.moment;
    const batch = await lockBatch(tx, args.batchId);
    if (!batch || !isOver(batch.status)) return;
    const waiting = await recipientsWhere(
      tx,
      batch.id,
      `status in ('pending', 'retry_wait', 'paused') order by position limit ${NUMBERS_PER_SWEEP}`,
    );
    for (const recipient of waiting) await close(tx, batch, recipient, args.unannounced);
    const left = batch.waiting - waiting.length;
    await progressBatch(
      tx,
      batch,
      { waiting: left, cancelled: batch.cancelled + waiting.length, feed_at: left > 0 ? at : null },
      args.moment,
    );
  },
});

/** What the batch would do now. */
export async function turnOf(tx: Tx, batch: BatchRow, now: number): Promise<Turn> {
  const next = await tx.get(
    `select min(due_at) as due_at from batch_recipients where batch_id = ? and status in ('pending', 'retry_wait')`,
    batch.id,
  );
  const queue = await tx.get(
    `select count(*) as queued from (
       select id from dial_attempts where status = 'pending' and due_at <= ? limit ${FULL_QUEUE}) as due`,
    now,
  );
  return nextTurn({
    now,
    scheduledAt: batch.scheduled_at,
    window: batch.call_window,
    maxConcurrency: batch.max_concurrency,
    inFlight: batch.in_flight,
    nextDueAt: typeof next?.['due_at'] === 'number' ? next['due_at'] : null,
    queued: Number(queue?.['queued'] ?? 0),
  });
}

function dueRecipients(tx: Tx, batch: BatchRow, now: number, limit: number): Promise<RecipientRow[]> {
  return recipientsWhere(
    tx,
    batch.id,
    `status in ('pending', 'retry_wait') and due_at <= ? order by due_at, position limit ?`,
    now,
    limit,
  );
}

/** When the feeder has to look again. */
async function plan(tx: Tx, batch: BatchRow, now: number): Promise<void> {
  const { release: room, until } = await turnOf(tx, batch, now);
  await changeBatch(tx, batch, { feed_at: room > 0 ? now : until });
}

/** What became of a number whose turn it was. */
type Fate = 'released' | 'skipped' | 'not_now';

/** Lets one number be called, if the policy has nothing against it. */
async function callOne(
  tx: Tx,
  batch: BatchRow,
  pick: Pick,
  { at, rules }: { at: number; rules: PolicyRules },
): Promise<Fate> {
  const [recipient] = await recipientsWhere(tx, batch.id, 'position = ?', pick.position);
  if (!recipient || recipient.due_at > at) return 'not_now';
  if (recipient.status !== 'pending' && recipient.status !== 'retry_wait') return 'not_now';
  const first = await lockCall(tx, recipient.call_id);
  if (!first) throw new Error('a number of a batch has lost its call');
  // Its end is on its way to the batch.
  if (recipient.status === 'pending' && first.ended_at !== null) return 'not_now';
  const decision = await askPolicy(tx, {
    workspace: batch.workspace,
    phoneNumber: recipient.phone_number,
    moment: 'dialling',
    subjectId: pick.dialId,
    callId: pick.callId,
    now: at,
    rules: rulesWith(rules, batch.call_window),
  });
  if (decision.verdict === 'defer') {
    await changeRecipient(tx, recipient, { due_at: decision.until, updated_at: at });
    return 'not_now';
  }
  if (decision.verdict === 'skip') {
    await changeRecipient(tx, recipient, {
      status: 'skipped',
      shown_status: null,
      reason: decision.reason,
      updated_at: at,
    });
    await moveCall(tx, first, { to: 'failed', moment: pick.moment, reason: decision.reason });
    return 'skipped';
  }
  await release(tx, { batch, recipient, first, pick, at });
  return 'released';
}

/** Puts the call of one number, its own or a further one, into the dialler's queue. */
async function release(
  tx: Tx,
  turn: { batch: BatchRow; recipient: RecipientRow; first: CallRow; pick: Pick; at: number },
): Promise<void> {
  const { batch, recipient, first, pick, at } = turn;
  const from = recipient.from_phone ?? batch.from_phone;
  if (recipient.status === 'retry_wait') {
    await createCall(tx, {
      call: againAs(pick.callId, first, { recipient, from, at }),
      agent: agentOf(first),
      moment: pick.moment,
    });
  } else if (first.from_phone !== from) {
    await setColumns(tx, first.id, { from_phone: from });
  }
  await enqueueAttempt(tx, { id: pick.dialId, callId: pick.callId, dueAt: at, at });
  await changeRecipient(tx, recipient, {
    status: 'dialling',
    shown_status: null,
    reason: null,
    attempts: recipient.attempts + 1,
    last_call_id: pick.callId,
    updated_at: at,
  });
}

/** A further try is a call of its own, with all that the first one was to have. */
function againAs(
  id: string,
  first: CallRow,
  { recipient, from, at }: { recipient: RecipientRow; from: string; at: number },
) {
  return {
    ...first,
    id,
    status: 'queued' as const,
    to_phone: recipient.phone_number,
    from_phone: from,
    provider_call_id: null,
    node_id: null,
    scheduled_time: null,
    scheduled_at: null,
    estimated_start_at: at,
  };
}

function agentOf(call: CallRow) {
  return { id: call.agent_id, name: call.agent_name, language: call.language };
}

async function close(tx: Tx, batch: BatchRow, recipient: RecipientRow, moment: Moment): Promise<void> {
  const reason = batch.status === 'failed' ? 'batch_aborted' : 'cancelled';
  await changeRecipient(tx, recipient, { status: 'cancelled', reason, updated_at: moment.at });
  const own = await lockCall(tx, recipient.call_id);
  // A call that is over hears no news.
  if (own) await moveCall(tx, own, { to: 'cancelled', moment, reason: 'cancelled' });
}
