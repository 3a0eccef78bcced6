import type { TxContext } from '#calls/record/call-progress.js';
import { askAboutCall } from '#calls/requests/accept-call.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import { callAgain, type FurtherIds } from './further-calls.js';
import { holdHandle, keepHandle, NO_NEXT } from '#batches/scheduled-calls/handles/queued-call-handle.js';

/** SQL: a handle with a requested next call whose last call is over. */
const IS_WANTED = `next_due_at is not null and not exists (
  select 1 from calls where ended_at is null and (id = queued_call_handles.call_id
    or id in (select further_calls.call_id from further_calls where handle_id = queued_call_handles.call_id)))`;

/** {@link NO_NEXT} as columns of an update. */
const SET_NO_NEXT = Object.keys(NO_NEXT)
  .map((column) => `${column} = null`)
  .join(', ');

/** Transactions of further calls, requested before the end of the last one. */
export const furtherCallTransactions = defineTransactions('further_calls', {
  /** Handles whose further call can be made. */
  async wanted(tx, args: { limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select call_id from queued_call_handles where ${IS_WANTED} order by next_due_at limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['call_id']));
  },

  /** Makes the further call of a handle, once. Its time was accepted when it was requested. */
  async make(
    tx,
    args: { callId: string; ids: FurtherIds; context: TxContext; rules: PolicyRules },
  ): Promise<void> {
    const held = await holdHandle(tx, args.callId);
    if (!held || held.latest.ended_at === null) return;
    const { next_from_phone: from, next_time: written, next_due_at: at, next_timezone: readIn } = held.kept;
    if (written === null || at === null) return;
    await callAgain(tx, held, { ...args, from, time: { written, at, readIn }, ask: askAboutCall });
  },

  /** Gives up the further call of a handle. */
  async giveUp(tx, args: { callId: string }): Promise<void> {
    await keepHandle(tx, args.callId, NO_NEXT);
  },

  /** Cancels further calls of suppressed numbers. */
  async callOff(tx, args: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    await tx.run(
      `update queued_call_handles set ${SET_NO_NEXT}
       where next_due_at is not null and call_id in (
         select id from calls where workspace = ? and to_phone in (${placeholders(args.phoneNumbers)}))`,
      args.workspace,
      ...args.phoneNumbers,
    );
  },

  /**
   * After a restore, cancels further calls due by an instant: they may have been made since the backup. Returns their
   * number.
   */
  async forget(tx, { at }: { at: number }): Promise<number> {
    return tx.run(`update queued_call_handles set ${SET_NO_NEXT} where next_due_at <= ?`, at);
  },
});
