import { askPolicy } from '#policy/decisions/ask-policy.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { findSuppression } from '#policy/suppressions/suppression-store.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import type { CallRow } from '#calls/record/call.js';
import { finishRepaired, lockRepaired } from './repaired-call.js';
import type { FinishDetails } from './finish-call.js';
import { UNDIALLED } from './undialled-call.js';

/**
 * SQL condition: a call waits to be dialled. No carrier was asked yet (`queued`, `initiated`), or one refused and the
 * call waits for another attempt (`connecting`).
 */
const IS_WAITING = `ended_at is null and (calls.status in ('queued', 'initiated') or calls.status = 'connecting'
  and exists (select 1 from dial_attempts where call_id = calls.id and ${UNDIALLED}))`;

/** The transactions of `SuppressionEnforcer`. */
export const suppressedCallTransactions = defineTransactions('suppressed_calls', {
  /**
   * The ids of the next `limit` waiting calls to these numbers, in order, from after the id `after`. At most a few
   * hundred numbers.
   */
  async waiting(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await tx.all(
      `select id from calls
       where workspace = ? and to_phone in (${placeholders(args.phoneNumbers)})
         and direction = 'outbound' and ${IS_WAITING} and id > ?
       order by id limit ?`,
      args.workspace,
      ...args.phoneNumbers,
      args.after,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /**
   * Ends a waiting call if its number is still suppressed at the call's scheduled time; a suppression that expires
   * before then leaves the call alone. The policy's decision is stored, to explain why the call was not made.
   * Null for a call that is not ended. Also works on a call whose row is corrupt (`repaired-call.ts`).
   */
  async end(
    tx,
    args: { callId: string; details: FinishDetails; rules: PolicyRules },
  ): Promise<CallRow | null> {
    const locked = await lockRepaired(tx, args.callId);
    const isWaiting = await tx.get(`select id from calls where id = ? and ${IS_WAITING}`, args.callId);
    if (!locked || !isWaiting) return null;
    const call = locked.value;
    const { workspace, to_phone: phoneNumber } = call;
    const { at } = args.details.context;
    const dialAt = Math.max(at, call.scheduled_at ?? 0);
    if (!(await findSuppression(tx, { workspace, phoneNumber, now: dialAt }))) return null;
    // Recorded as `accepted`: the call was refused before it came to dialling.
    const question = { moment: 'accepted', subjectId: call.id, callId: call.id, now: at, dialAt } as const;
    await askPolicy(tx, { workspace, phoneNumber, rules: args.rules, ...question });
    return finishRepaired(tx, locked, args.details);
  },
});
