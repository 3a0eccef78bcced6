import { Problem } from '#kernel/errors/errors.js';
import type { WantedStatus } from '#schedules/record/status-words.js';
import { resumed } from '#batches/changes/batch-store.js';
import { isOver, type BatchStatus } from '#batches/record/batch-machine.js';
import type { BatchChanges } from '#batches/record/batch-rows.js';
import type { BatchRow } from '#batches/record/batch.js';
import type { HandleChange } from '#batches/scheduled-calls/handles/handle-change.js';

type StatusChange = NonNullable<HandleChange['status']>;
type Change = (batch: BatchRow, request: StatusChange, at: number) => BatchChanges;

const arm: Change = (batch, { word }, at) => {
  const changes = batch.status === 'paused' ? resumed(batch, at) : {};
  const status = changes.status ?? batch.status;
  // A running batch is not shown as `scheduled` or `pending`.
  const isMeant = status === 'scheduled' || word === 'active';
  return { ...changes, shown_status: isMeant ? word : null };
};

const hold: Change = ({ pause_reason: reason }, { word }, at) => ({
  shown_status: word,
  status: 'paused',
  pause_reason: reason ?? 'paused by request',
  feed_at: at,
});

const close: Change = (_batch, { word }, at) => ({
  shown_status: word,
  status: 'cancelled',
  pause_reason: null,
  feed_at: at,
});

/** Effect of status words on a batch that is not finished. */
const CHANGES: Record<WantedStatus, Change> = {
  scheduled: arm,
  paused: hold,
  cancelled: close,
  completed: close,
};

/** Final statuses in which a request is already fulfilled; a cancelled batch may be closed. */
const IS_SO: Record<WantedStatus, readonly BatchStatus[]> = {
  scheduled: [],
  paused: [],
  cancelled: ['cancelled'],
  completed: ['completed', 'cancelled'],
};

/**
 * The changes that a status word makes to a batch.
 * @throws Problem `invalid_state` if its status does not allow it
 */
export function batchStatusChange(batch: BatchRow, request: StatusChange, at: number): BatchChanges {
  const { word, wanted } = request;
  if (!isOver(batch.status)) return CHANGES[wanted](batch, request, at);
  if (!IS_SO[wanted].includes(batch.status)) throw wrongMoment(batch);
  return { shown_status: word };
}

/** The answer to a request that comes too late. */
export function wrongMoment(batch: BatchRow): Problem {
  return new Problem('invalid_state', `This is not possible for a batch that is ${batch.status}.`);
}
