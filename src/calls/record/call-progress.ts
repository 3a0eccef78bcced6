import { sequencedId } from '#kernel/ids/ids.js';
import type { NewEvent } from '#events/outbox.js';
import { recordEvents } from '#webhooks/deliveries/record-events.js';
import type { Increment } from '#metrics/counters.js';
import type { EventType } from '#events/event-types.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { CallRow } from './call.js';
import { callEventData, type CallLinks } from './call-event-data.js';
import { callMachine, type CallStatus } from './call-machine.js';
import { ENDED_REASONS, type EndedReason } from './ended-reason.js';
import { logLifeCycle, type LifeCycleEntry } from './life-cycle-log.js';

// Moves a call from status to status, inside the transactions of the calls module: the only code that writes the column
// `status`, and the events that announce it.

/** The event type that announces a status. Each occurs at most once per call, since no status is entered twice. */
const ANNOUNCED: Partial<Record<CallStatus, EventType>> = {
  initiated: 'call.initiated',
  connected: 'call.connected',
  active: 'call.in_progress',
  completed: 'call.completed',
  failed: 'call.failed',
  missed: 'call.missed',
  // A cancelled call has no event type of its own; `data.status` is `cancelled`.
  cancelled: 'call.failed',
};

/** The inputs of a change that the transaction must not compute itself, made by `TxContexts`. */
export interface TxContext {
  /** The time of the change (epoch milliseconds). */
  at: number;
  /** Null for a change without events. */
  links: CallLinks | null;
}

/** A move to another status, and the columns to write with it. */
export interface Move {
  to: CallStatus;
  context: TxContext;
  /** Why the call ends; ignored if the call already has a reason. */
  reason?: EndedReason;
  /** The carrier's own code for the end; ignored if the call already has one. */
  providerCode?: string | null;
  /** When the call was over, if before `context.at` (epoch milliseconds). */
  endedAt?: number;
  /** Columns that become known with the move. */
  alongside?: Partial<Pick<CallRow, 'provider' | 'provider_call_id' | 'node_id'>>;
  /** Computes further columns and events from the moved call. */
  follow?: (moved: CallRow) => FurtherChanges;
}

/** Further columns of a move, as SQL values, and events that are recorded after the events of its statuses. */
export interface FurtherChanges {
  columns: Readonly<Record<string, SqlValue>>;
  events: readonly NewEvent[];
}

/**
 * Moves a call to a later status, through every status in between, and writes the life-cycle entry and the event of
 * each in the same transaction. Returns the moved call. An outdated move (to a lower or equal rank, or of a call that
 * is over) changes nothing.
 * @throws Error for a move that no path of the table allows
 */
export async function moveCall(tx: Tx, call: CallRow, move: Move): Promise<CallRow> {
  if (!callMachine.isAhead(call.status, move.to)) return call;
  const path = callMachine.path(call.status, move.to);
  if (path === null) throw new Error(`no way leads a call from ${call.status} to ${move.to}`);
  const steps = stepsOf({ ...call, ...move.alongside }, path, move);
  const moved = steps.at(-1)?.call ?? call;
  const furtherChanges = move.follow?.(moved);
  if (callMachine.isFinal(moved.status)) tx.count(endCount(moved));
  logLifeCycle(tx, call.id, ...steps.map((step) => step.entry));
  await Promise.all([
    writeMoved(tx, call, moved, furtherChanges?.columns),
    recordEvents(tx, [...announcements(steps, move.context), ...(furtherChanges?.events ?? [])]),
  ]);
  return moved;
}

/** The counter of ended calls, by status and ended reason. */
export const CALLS_ENDED = 'calls_ended';

/** The increment of {@link CALLS_ENDED} for an ended call. */
function endCount({ status, ended_reason }: CallRow): Increment {
  return { name: CALLS_ENDED, labels: { status, ended_reason: ended_reason ?? 'none' } };
}

/** The columns that a move may write. Unchanged columns are not written, which spares their indexes. */
const WRITTEN_BY_MOVES = [
  'status',
  'started_at',
  'answered_at',
  'ended_at',
  'ended_reason',
  'fault',
  'provider_code',
  'error',
  'event_sequence',
  'updated_at',
  'provider',
  'provider_call_id',
  'node_id',
] as const;

/**
 * Updates the row of a moved call, once for all the statuses of the path.
 * @throws Error if another transaction has changed the status or added a log entry since the row was read
 */
async function writeMoved(
  tx: Tx,
  before: CallRow,
  after: CallRow,
  further: FurtherChanges['columns'] = {},
): Promise<void> {
  const columns: Record<string, SqlValue> = { ...further };
  for (const column of WRITTEN_BY_MOVES) {
    if (before[column] !== after[column]) columns[column] = after[column];
  }
  const { id, status, event_sequence } = before;
  const changed = await update(tx, 'calls', { set: columns, where: { id, status, event_sequence } });
  if (changed !== 1) throw new Error('the call was moved by somebody else at the same time');
}

/** The call as it is in each status of the path, with the life-cycle entry of that status. */
function stepsOf(
  call: CallRow,
  path: readonly CallStatus[],
  move: Move,
): { call: CallRow; entry: LifeCycleEntry }[] {
  const { at } = move.context;
  let current = call;
  return path.map((status) => {
    const { status: from } = current;
    const sequence = current.event_sequence + 1;
    const fields = statusFields(current, status, move);
    current = { ...current, ...fields, status, event_sequence: sequence, updated_at: at };
    const data = current.ended_reason ? { ended_reason: current.ended_reason } : {};
    return {
      call: current,
      entry: { sequence, type: 'state_changed', from, to: status, at, data },
    };
  });
}

/** The columns that change when a call enters a status. */
function statusFields(call: CallRow, status: CallStatus, move: Move): Partial<CallRow> {
  const { at } = move.context;
  const reason = call.ended_reason ?? move.reason ?? null;
  const ending = reason && {
    ended_reason: reason,
    fault: ENDED_REASONS[reason].fault,
    error: ENDED_REASONS[reason].error,
    provider_code: call.provider_code ?? move.providerCode ?? null,
  };
  if (callMachine.isFinal(status)) return { ended_at: move.endedAt ?? at, ...ending };
  if (status === 'ending') return { ...ending };
  if (status === 'connecting') return { started_at: call.started_at ?? at };
  if (status === 'connected') return { started_at: call.started_at ?? at, answered_at: at };
  return {};
}

/** The events of the statuses that a call enters, in order. There is no `call.initiated` for an inbound call. */
function announcements(steps: readonly { call: CallRow }[], { at, links }: TxContext): NewEvent[] {
  if (links === null) return [];
  return steps.flatMap(({ call }) => {
    const type = ANNOUNCED[call.status];
    if (type === undefined || (call.status === 'initiated' && call.direction !== 'outbound')) return [];
    const id = callEventId(call, type, { at });
    const data = callEventData(call, links);
    return [{ id, workspace: call.workspace, type, subjectId: call.id, at, data }];
  });
}

/**
 * The id of an event of a call. The ids of one call sort in the order of its life cycle, also within one millisecond.
 * @param further how many events the same change announces before this one
 */
export function callEventId(
  { id, event_sequence: sequence }: CallRow,
  type: EventType,
  { at, further = 0 }: { at: number; further?: number },
): string {
  return sequencedId('evt', at, sequence + further, id, type);
}

/** Writes the log entry `created` of a new call, and records the event of its first status. */
export async function announceCreation(tx: Tx, call: CallRow, context: TxContext): Promise<void> {
  logLifeCycle(tx, call.id, {
    sequence: call.event_sequence,
    type: 'created',
    from: null,
    to: call.status,
    at: context.at,
    data: {},
  });
  await recordEvents(tx, announcements([{ call }], context));
}
