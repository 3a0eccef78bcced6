import { defineUnits } from '../store/unit.js';
import type { CallRow } from './call.js';
import { lockCall } from './call-store.js';
import { finishCall, type FinishDetails } from './finish-call.js';

/** States of a call that no carrier has heard of. */
const WAITING = new Set<CallRow['status']>(['queued', 'initiated']);

export const callOffUnits = defineUnits('call_offs', {
  /** Calls to some numbers that wait to be dialled, by id. At most some hundred numbers. */
  async waiting(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await tx.all(
      `select id from calls
       where workspace = ? and to_phone in (${args.phoneNumbers.map(() => '?').join(', ')})
         and ended_at is null and direction = 'outbound' and status in ('queued', 'initiated') and id > ?
       order by id limit ?`,
      args.workspace,
      ...args.phoneNumbers,
      args.after,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /** Ends a call that still waits to be dialled; null for one that does not any more. */
  async end(tx, args: { callId: string; details: FinishDetails }): Promise<CallRow | null> {
    const call = await lockCall(tx, args.callId);
    return call && WAITING.has(call.status) ? finishCall(tx, call, args.details) : null;
  },
});
