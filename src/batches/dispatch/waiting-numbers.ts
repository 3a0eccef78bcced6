import { placeholders } from '#store/statements/placeholders.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import { queuedCallSql } from '#batches/dispatch/call-number.js';

// Finds the numbers of a batch that are due, open or queued, for the dispatcher, and the numbers to requeue.

/** How many numbers of a stopped batch one transaction recalls or closes. */
const NUMBERS_PER_SWEEP = 100;

/** SQL condition: the number waits to be called, or is paused. */
export const IS_OPEN = `status in ('pending', 'retry_wait', 'paused')`;

/** A number that waits, or whose call waits in the dialler's queue. Made from columns that are always readable. */
export interface WaitingNumber {
  position: number;
  /** Call of the last attempt; the number's first call before any attempt. */
  lastCallId: string;
}

/**
 * The least `due_at` of due numbers. Before a batch begins, only numbers with a time of their own are due; all others
 * have `due_at` 0.
 */
export function earliestDue(batch: BatchRow, now: number): number {
  return now < batch.scheduled_at ? 1 : 0;
}

/** Due numbers of a batch, earliest first. */
export function dueNumbers(tx: Tx, batch: BatchRow, now: number, limit: number): Promise<WaitingNumber[]> {
  return waitingNumbers(
    tx,
    `status in ('pending', 'retry_wait') and due_at >= ? and due_at <= ? order by due_at, position limit ?`,
    [batch.id, earliestDue(batch, now), now, limit],
  );
}

/** The first open numbers of a batch. */
export function openNumbers(tx: Tx, batchId: string): Promise<WaitingNumber[]> {
  return waitingNumbers(tx, `${IS_OPEN} order by position limit ?`, [batchId, NUMBERS_PER_SWEEP]);
}

/** The first numbers of a batch whose calls can be taken back from the dialler's queue. */
export function queuedNumbers(tx: Tx, batchId: string): Promise<WaitingNumber[]> {
  return waitingNumbers(
    tx,
    `status = 'dialling' and exists (${queuedCallSql('batch_recipients.last_call_id')}) order by position limit ?`,
    [batchId, NUMBERS_PER_SWEEP],
  );
}

/** The phone numbers (E.164) at some positions of a batch. */
export async function numbersAt(tx: Tx, batchId: string, positions: readonly number[]): Promise<string[]> {
  if (positions.length === 0) return [];
  const rows = await tx.all(
    `select phone_number from batch_recipients where batch_id = ? and position in (${placeholders(positions)})`,
    batchId,
    ...positions,
  );
  return rows.map((row) => String(row['phone_number']));
}

/** The numbers of a batch that meet a condition; the first value is the id of the batch. */
async function waitingNumbers(tx: Tx, where: string, values: SqlValue[]): Promise<WaitingNumber[]> {
  const rows = await tx.all(
    `select position, last_call_id from batch_recipients where batch_id = ? and ${where}`,
    ...values,
  );
  return rows.map((row) => ({
    position: Number(row['position']),
    lastCallId: String(row['last_call_id']),
  }));
}

/** SQL condition: the number waits, is paused, or is being called. */
const IS_UNDER_WAY = `(${IS_OPEN} or status = 'dialling')`;

/**
 * Which of some finished rows, ordered by position, are requeued. A phone number may occur in several rows, of which
 * only one is called at a time: it is requeued once, and not while one of its rows is open or is being called. The rows
 * are a slice of a request made at `at` (epoch milliseconds): a number of an earlier row that has changed since then
 * was requeued by an earlier slice, and is left out.
 */
export async function onePerNumber(
  tx: Tx,
  rows: readonly RecipientRow[],
  at: number,
): Promise<RecipientRow[]> {
  const [first, last] = [rows.at(0), rows.at(-1)];
  if (!first || !last) return [];
  // The order makes the database use the index of the batch.
  const busyNumbers = await tx.all(
    `select phone_number from batch_recipients
     where batch_id = ? and (${IS_UNDER_WAY} or (position < ? and updated_at > ?)) and phone_number in (
       select phone_number from batch_recipients where batch_id = ? and position between ? and ?)
     order by position`,
    first.batch_id,
    first.position,
    at,
    first.batch_id,
    first.position,
    last.position,
  );
  const taken = new Set(busyNumbers.map((row) => String(row['phone_number'])));
  return rows.filter((row) => !taken.has(row.phone_number) && taken.add(row.phone_number));
}
