import { Problem } from '#kernel/errors/errors.js';
import { derivedId } from '#kernel/ids/ids.js';
import { insertInto } from '#store/statements/insert.js';
import { readRepaired } from '#store/statements/corrupt-row.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { executionMachine } from './schedule-machine.js';
import { ExecutionRow, ScheduleRow } from './schedule.js';

// Reads, locks, inserts and updates rows of schedules and executions, for the transactions of this module.

/** The columns of a schedule that may change. */
export type ScheduleChanges = Partial<Omit<ScheduleRow, 'id' | 'workspace' | 'kind' | 'created_at'>>;
/** The columns of an execution that may change. */
export type ExecutionChanges = Partial<
  Pick<
    ExecutionRow,
    | 'status'
    | 'planned_at'
    | 'due_at'
    | 'started_at'
    | 'late_ms'
    | 'call_id'
    | 'duration'
    | 'error'
    | 'finished_at'
  >
>;

/**
 * Reads and locks a schedule until the end of the transaction; null if there is none. Transactions that change
 * executions lock the schedule first, except for the claim of due executions.
 */
export async function lockSchedule(tx: Tx, id: string): Promise<ScheduleRow | null> {
  const row = await tx.get(`select * from schedules where id = ?${tx.dialect.forUpdate}`, id);
  return row ? ScheduleRow.parse(row) : null;
}

/** Reads a schedule of a workspace without a lock; null if there is none. */
export async function findSchedule(
  tx: Tx,
  args: { workspace: string; id: string },
): Promise<ScheduleRow | null> {
  const row = await tx.get('select * from schedules where id = ? and workspace = ?', args.id, args.workspace);
  return row ? ScheduleRow.parse(row) : null;
}

/**
 * {@link lockSchedule} for a request.
 * @throws Problem `scheduled_call_not_found`, also for a schedule of another workspace
 */
export async function requireSchedule(tx: Tx, args: { workspace: string; id: string }): Promise<ScheduleRow> {
  const schedule = await lockSchedule(tx, args.id);
  if (schedule?.workspace === args.workspace) return schedule;
  throw scheduleNotFound();
}

/** The problem for an unknown schedule, and for a schedule of another workspace. */
export function scheduleNotFound(): Problem {
  return new Problem('scheduled_call_not_found', 'There is no scheduled call with this id.');
}

/** Adds the row of a new schedule. */
export async function insertSchedule(tx: Tx, schedule: ScheduleRow): Promise<void> {
  await insertInto(tx, 'schedules', toColumns(schedule));
}

/** Writes some columns and returns the changed schedule. */
export async function setSchedule(
  tx: Tx,
  schedule: ScheduleRow,
  changes: ScheduleChanges,
  at: number,
): Promise<ScheduleRow> {
  const changed: ScheduleRow = { ...schedule, ...changes, updated_at: at };
  await update(tx, 'schedules', {
    set: toColumns({ ...changes, updated_at: at }),
    where: { id: schedule.id },
  });
  return changed;
}

/** The values for the columns: objects become JSON text. */
function toColumns(values: ScheduleChanges | ScheduleRow): Record<string, SqlValue> {
  const entries = Object.entries(values).map(([column, value]) => [
    column,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, SqlValue>;
}

/** Reads and locks an execution; null if there is none. */
export async function lockExecution(tx: Tx, id: string): Promise<ExecutionRow | null> {
  const row = await tx.get(`select * from executions where id = ?${tx.dialect.forUpdate}`, id);
  return row ? ExecutionRow.parse(row) : null;
}

/**
 * {@link lockExecution} for an execution whose call is over: unreadable columns are replaced by defaults, so that the
 * run ends and the schedule goes on.
 */
export async function lockCalledExecution(tx: Tx, id: string): Promise<ExecutionRow | null> {
  const row = await tx.get(`select * from executions where id = ?${tx.dialect.forUpdate}`, id);
  if (!row) return null;
  const { value: execution, repair } = readRepaired(ExecutionRow, row, CALLED_EXECUTION_DEFAULTS);
  if (repair) await update(tx, 'executions', { set: repair, where: { id } });
  return execution;
}

/** Defaults for unreadable columns of an execution that has a call: the call is in progress until it is settled. */
const CALLED_EXECUTION_DEFAULTS = { status: 'in_progress', origin: 'schedule' };

/** Pending, held and running executions of a schedule, by run and attempt. Needs the lock of the schedule. */
export async function openExecutions(tx: Tx, scheduleId: string): Promise<ExecutionRow[]> {
  const rows = await tx.all(
    `select * from executions where schedule_id = ? and status in ('pending', 'held', 'in_progress')`,
    scheduleId,
  );
  return rows.map((row) => ExecutionRow.parse(row)).sort((a, b) => a.run - b.run || a.attempt - b.attempt);
}

/**
 * Writes some columns and returns the changed execution.
 * @throws Error for a transition that the life cycle does not have
 */
export async function setExecution(
  tx: Tx,
  execution: ExecutionRow,
  changes: ExecutionChanges,
  at: number,
): Promise<ExecutionRow> {
  const { status } = changes;
  if (
    status !== undefined &&
    status !== execution.status &&
    !executionMachine.canMove(execution.status, status)
  )
    throw new Error(`an execution cannot go from ${execution.status} to ${status}`);
  await update(tx, 'executions', { set: { ...changes, updated_at: at }, where: { id: execution.id } });
  return { ...execution, ...changes, updated_at: at };
}

/** The chosen columns of a new execution; the others are derived. `status`: `pending` by default. */
export type NewExecution = Pick<ExecutionRow, 'run' | 'attempt' | 'origin' | 'reason' | 'planned_at'> & {
  status?: 'pending' | 'held';
};

/**
 * Adds an execution. Its id is derived from schedule, run and attempt, so a repeated transaction makes the same id.
 */
export async function addExecution(
  tx: Tx,
  schedule: Pick<ScheduleRow, 'id' | 'workspace'>,
  planned: NewExecution,
  at: number,
): Promise<ExecutionRow> {
  const { run, attempt, origin, reason, planned_at, status = 'pending' } = planned;
  const execution: ExecutionRow = {
    id: derivedId('exec', at, schedule.id, String(run), String(attempt)),
    workspace: schedule.workspace,
    schedule_id: schedule.id,
    run,
    attempt,
    origin,
    reason,
    status,
    planned_at,
    due_at: planned_at,
    started_at: null,
    late_ms: null,
    call_id: null,
    duration: null,
    error: null,
    finished_at: null,
    created_at: at,
    updated_at: at,
  };
  await insertInto(tx, 'executions', { ...execution });
  return execution;
}
