import type { Moment } from '#calls/record/call-progress.js';
import { askAboutCall } from '#calls/requests/accept-call.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineUnits } from '#store/unit.js';
import { callAgain, type FurtherIds } from './further-calls.js';
import { holdHandle, keepHandle, NO_NEXT } from '#batches/scheduled-calls/handles/queued-call-handle.js';

/** A handle whose last call is over, and that is still to be called at a time. */
const IS_WANTED = `next_due_at is not null and not exists (
  select 1 from calls where ended_at is null and (id = queued_call_handles.call_id
    or id in (select further_calls.call_id from further_calls where handle_id = queued_call_handles.call_id)))`;

/** {@link NO_NEXT} as the columns that an update sets. */
const SET_NO_NEXT = Object.keys(NO_NEXT)
  .map((column) => `${column} = null`)
  .join(', ');

/** Further calls that were asked for while the one before was not over. */
export const furtherCallUnits = defineUnits('further_calls', {
  /** Handles that wait for nothing but their further call. */
  async wanted(tx, args: { limit: number }): Promise<string[]> {
    const rows = await tx.all(
      `select call_id from queued_call_handles where ${IS_WANTED} order by next_due_at limit ?`,
      args.limit,
    );
    return rows.map((row) => String(row['call_id']));
  },

  /** Makes the further call that a handle waits for, once. Whoever wanted it has been told already what it is worth. */
  async make(
    tx,
    args: { callId: string; ids: FurtherIds; moment: Moment; rules: PolicyRules },
  ): Promise<void> {
    const held = await holdHandle(tx, args.callId);
    if (!held || held.latest.ended_at === null) return;
    const { next_from_phone: from, next_time: written, next_due_at: at, next_timezone: readIn } = held.kept;
    if (written === null || at === null) return;
    await callAgain(tx, held, { ...args, from, time: { written, at, readIn }, ask: askAboutCall });
  },

  /** Gives up the further call that a handle waits for. */
  async giveUp(tx, args: { callId: string }): Promise<void> {
    await keepHandle(tx, args.callId, NO_NEXT);
  },

  /** Makes no further calls of numbers that must not be called any more. */
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
   * Makes no further call that was wanted by an instant, after the database was put back: it may have been made since
   * the backup. Returns how many.
   */
  async forget(tx, { at }: { at: number }): Promise<number> {
    return tx.run(`update queued_call_handles set ${SET_NO_NEXT} where next_due_at <= ?`, at);
  },
});
