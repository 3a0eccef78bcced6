import { placeholders } from '#store/statements/placeholders.js';
import type { SqlValue, Tx } from '#store/unit.js';
import type { BatchRow } from '#batches/record/batch.js';
import { queuedCall } from './call-number.js';

/** Numbers of a batch that goes on no more that are taken back or closed in one transaction. */
const NUMBERS_PER_SWEEP = 100;

/** The condition of numbers that wait for something. */
export const IS_OPEN = `status in ('pending', 'retry_wait', 'paused')`;

/** A number that waits, known by columns that anybody can read. */
export interface WaitingNumber {
  position: number;
  /** The call of its last attempt; its own before there was any. */
  lastCallId: string;
  isFirstAttempt: boolean;
}

/** Before a batch begins only numbers with a time of their own are called: from 1 on, because the others have 0. */
export function earliestDue(batch: BatchRow, now: number): number {
  return now < batch.scheduled_at ? 1 : 0;
}

/** Numbers whose turn it is, those that were due first in front. */
export function dueNumbers(tx: Tx, batch: BatchRow, now: number, limit: number): Promise<WaitingNumber[]> {
  return waitingNumbers(
    tx,
    `status in ('pending', 'retry_wait') and due_at >= ? and due_at <= ? order by due_at, position limit ?`,
    [batch.id, earliestDue(batch, now), now, limit],
  );
}

/** Some of the numbers that a batch leaves open. */
export function openNumbers(tx: Tx, batchId: string): Promise<WaitingNumber[]> {
  return waitingNumbers(tx, `${IS_OPEN} order by position limit ?`, [batchId, NUMBERS_PER_SWEEP]);
}

/** Some of the numbers that can still be taken out of the dialler's queue. */
export function queuedNumbers(tx: Tx, batchId: string): Promise<WaitingNumber[]> {
  return waitingNumbers(
    tx,
    `status = 'dialling' and exists (${queuedCall('batch_recipients.last_call_id')}) order by position limit ?`,
    [batchId, NUMBERS_PER_SWEEP],
  );
}

/** Whom some rows of a batch are to call (E.164). */
export async function numbersAt(tx: Tx, batchId: string, positions: readonly number[]): Promise<string[]> {
  if (positions.length === 0) return [];
  const rows = await tx.all(
    `select phone_number from batch_recipients where batch_id = ? and position in (${placeholders(positions)})`,
    batchId,
    ...positions,
  );
  return rows.map((row) => String(row['phone_number']));
}

async function waitingNumbers(tx: Tx, where: string, values: SqlValue[]): Promise<WaitingNumber[]> {
  const rows = await tx.all(
    `select position, last_call_id, status from batch_recipients where batch_id = ? and ${where}`,
    ...values,
  );
  return rows.map((row) => ({
    position: Number(row['position']),
    lastCallId: String(row['last_call_id']),
    isFirstAttempt: row['status'] === 'pending',
  }));
}
