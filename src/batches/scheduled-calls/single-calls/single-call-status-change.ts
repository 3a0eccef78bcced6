import { UNDIALLED } from '#calls/endings/undialled-call.js';
import { DIAL_GRACE_MS, enqueueAttempt } from '#calls/queue/dial-queue.js';
import { callMachine } from '#calls/record/call-machine.js';
import { Problem } from '#kernel/errors/errors.js';
import type { WantedStatus } from '#schedules/record/status-words.js';
import type { Tx } from '#store/transaction.js';
import { keepHandle, NO_NEXT, type HeldHandle } from '#batches/scheduled-calls/handles/queued-call-handle.js';
import type { FollowUp } from '#batches/scheduled-calls/handles/handle-change.js';
import { invalidStateProblem, type SingleCallChange } from './single-call-times.js';

/**
 * Stage of a single call for requests: `queued` waits for its time, also paused; `in_line` waits for a line; `owed` is
 * over with a further call to come.
 */
type CallStage =
  'queued' | 'in_line' | 'under_way' | 'followed' | 'owed' | 'completed' | 'failed' | 'cancelled';

function stageOf({ kept, latest, isWaiting }: HeldHandle): CallStage {
  const hasNext = kept.next_due_at !== null;
  if (isWaiting) return latest.status === 'queued' ? 'queued' : 'in_line';
  if (!callMachine.isFinal(latest.status)) return hasNext ? 'followed' : 'under_way';
  if (hasNext) return 'owed';
  return latest.status === 'completed' || latest.status === 'cancelled' ? latest.status : 'failed';
}

/** Effect of a status word on a single call. */
type Action = (tx: Tx, held: HeldHandle, request: SingleCallChange) => Promise<FollowUp>;

/** Already fulfilled, or fulfilled by itself. */
const nothing: Action = async () => ({ hangUp: null });

const hold: Action = async (tx, { latest }) => {
  // The schedule would wait for the call forever; the schedule itself can be paused.
  if (latest.execution_id !== null)
    throw new Problem('invalid_state', 'The call belongs to a schedule, which can be paused itself.');
  await tx.run(`delete from dial_attempts where call_id = ? and ${UNDIALLED}`, latest.id);
  return { hangUp: null };
};

/** Requeues a paused call; a queued one stays. */
const arm: Action = async (tx, { latest }, { ids, change, context: { at } }) => {
  const queued = await tx.get('select id from dial_attempts where call_id = ? limit 1', latest.id);
  if (queued) return { hangUp: null };
  const plannedAt = latest.scheduled_at ?? at;
  // A call paused for too long is not made hours late.
  if (plannedAt < at - DIAL_GRACE_MS)
    throw new Problem('invalid_state', 'The time of the call has passed: it needs a new scheduled_time.');
  const dueAt = Math.max(plannedAt, at);
  const wantedAt = change.time?.at ?? dueAt;
  enqueueAttempt(tx, { id: ids.dialId, callId: latest.id, lane: 'single', dueAt, wantedAt, at });
  return { hangUp: null };
};

const forgetNext: Action = async (tx, { kept }) => {
  await keepHandle(tx, kept.call_id, NO_NEXT);
  return { hangUp: null };
};

const end: Action = async (tx, held, request) => {
  await forgetNext(tx, held, request);
  return { hangUp: held.latest.id };
};

/** Allowed status words by stage, and their effect. */
const ACTIONS: Record<WantedStatus, Partial<Record<CallStage, Action>>> = {
  scheduled: { queued: arm, in_line: nothing, followed: nothing, owed: nothing },
  paused: { queued: hold },
  cancelled: {
    queued: end,
    in_line: end,
    under_way: end,
    followed: end,
    owed: forgetNext,
    cancelled: nothing,
  },
  completed: { queued: end, in_line: end, owed: forgetNext, completed: nothing, cancelled: nothing },
};

/**
 * Applies a status word to a single call and stores the word.
 * @throws Problem `invalid_state` if its stage does not allow it
 */
export async function setSingleStatus(
  tx: Tx,
  held: HeldHandle,
  request: SingleCallChange,
  { word, wanted }: NonNullable<SingleCallChange['change']['status']>,
): Promise<FollowUp> {
  const action = ACTIONS[wanted][stageOf(held)];
  if (!action) throw invalidStateProblem(held.latest);
  const followUp = await action(tx, held, request);
  await keepHandle(tx, held.kept.call_id, { shown_status: word });
  return followUp;
}
