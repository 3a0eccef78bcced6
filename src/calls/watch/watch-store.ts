import { z } from 'zod';
import { durationMs, STEREO_FRAME_BYTES } from '#media/samples/wav.js';
import { readRepaired } from '#store/statements/corrupt-row.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import { CallRow } from '#calls/record/call.js';
import { IS_NOT_IN_DIAL_QUEUE } from '#calls/queue/dial-attempt.js';
import { readCall, CALL_FALLBACKS } from '#calls/record/read-call.js';
import { CALL_LIMITS } from '#calls/requests/call-request.js';

/** The recording of an orphaned call; `createdAt` in epoch milliseconds. */
interface OrphanRecording {
  fileName: string;
  createdAt: number;
  /** The duration of its parts in object storage (milliseconds). */
  storedMs: number;
}

/** An orphaned call: its process is dead. */
export interface Orphan {
  call: CallRow;
  /** The dial reference (attempt id) that the carrier has accepted; null if no acceptance is stored. */
  placedAs: string | null;
  recording: OrphanRecording | null;
}

/** The columns that the watchdog reads of each call every second. */
const WatchedCall = CallRow.pick({
  id: true,
  direction: true,
  status: true,
  ended_reason: true,
  provider: true,
  provider_call_id: true,
  answered_at: true,
  updated_at: true,
  timeout_seconds: true,
  silence_timeout_seconds: true,
});
export type WatchedCall = z.output<typeof WatchedCall>;

/** The values that replace unreadable columns of a corrupt row. Its call then has the default time limits. */
const FALLBACKS = {
  ...CALL_FALLBACKS,
  timeout_seconds: CALL_LIMITS.timeoutSeconds.usual,
  silence_timeout_seconds: CALL_LIMITS.silenceTimeoutSeconds.usual,
};

/** The number of orphaned calls that one read returns. */
const ORPHANS_PER_PAGE = 500;

/** The columns selected in addition to those of the call. */
const OrphanRow = z.object({
  placed_as: z.string().nullable(),
  file_name: z.string().nullable(),
  recorded_from: z.number().int().nullable(),
  sample_rate: z.number().int().nullable(),
  part_bytes: z.number().int().nullable(),
});

/** The transactions of `Watchdog`, `Recovery` and `NodeMembership`. */
export const watchTransactions = defineTransactions('watch', {
  /** The current calls of this process, for the watchdog: not over, and not waiting in the dial queue. */
  async underWay(tx, args: { nodeId: string }): Promise<WatchedCall[]> {
    const rows = await tx.all(
      `select ${Object.keys(WatchedCall.shape).join(', ')}
       from calls where ended_at is null and node_id = ? and ${IS_NOT_IN_DIAL_QUEUE} order by id`,
      args.nodeId,
    );
    return rows.map((row) => readRepaired(WatchedCall, row, FALLBACKS).value);
  },

  /** From a list of calls, those that are over or are carried by another process. */
  async notOurs(tx, args: { callIds: readonly string[]; nodeId: string }): Promise<CallRow[]> {
    const rows = await tx.all(
      `select * from calls where id in (${placeholders(args.callIds)}) and (ended_at is not null or node_id <> ?)`,
      ...args.callIds,
      args.nodeId,
    );
    return rows.map((row) => readCall(row).value);
  },

  /** From a list of calls, the ids of those that wait in the dial queue: no process carries them. */
  async waiting(tx, args: { callIds: readonly string[] }): Promise<string[]> {
    const rows = await tx.all(
      `select call_id from dial_attempts where status = 'pending' and call_id in (${placeholders(args.callIds)})`,
      ...args.callIds,
    );
    return rows.map((row) => String(row['call_id']));
  },

  /**
   * A page of the orphaned calls: not over, of a dead process, and not waiting to be dialled. A call whose recording is
   * in another folder is left to the living processes of that folder, if there are any. Sorted by process and call,
   * after the call `after`; an empty page is the last.
   * @param args.folderId the id of the recordings folder of this process
   */
  async orphans(tx, args: { after: Orphan | null; folderId: string }): Promise<Orphan[]> {
    const { after, folderId } = args;
    const rows = await tx.all(
      `select calls.*, file_name, recordings.created_at as recorded_from, sample_rate, part_bytes,
         (select id from dial_attempts where call_id = calls.id and status = 'placed') as placed_as
       from calls left join recordings on recordings.call_id = calls.id and recordings.status = 'writing'
       where ended_at is null and node_id is not null and (node_id, calls.id) > (?, ?)
         and node_id not in (select id from nodes) and ${IS_NOT_IN_DIAL_QUEUE}
         and (folder_id is null or folder_id = ?
           or folder_id not in (select folder_id from nodes where folder_id is not null))
       order by node_id, calls.id limit ${ORPHANS_PER_PAGE}`,
      after?.call.node_id ?? '',
      after?.call.id ?? '',
      folderId,
    );
    return rows.map((row) => {
      const { value: call } = readCall(row);
      const { placed_as: placedAs, ...recorded } = OrphanRow.parse(row);
      return { call, placedAs, recording: recordingOf(recorded) };
    });
  },

  /** Moves a call from a dead process to this one. False when the call is over, or another process has taken it. */
  async adopt(tx, args: { callId: string; from: string | null; nodeId: string }): Promise<boolean> {
    const changed = await tx.run(
      'update calls set node_id = ? where id = ? and node_id = ? and ended_at is null',
      args.nodeId,
      args.callId,
      args.from,
    );
    return changed === 1;
  },

  /**
   * Ends the leases of dead processes on dial attempts, so that the reconciler settles these attempts at once. Returns
   * how many leases were ended.
   */
  async releaseLeases(tx, args: { now: number }): Promise<number> {
    return tx.run(
      `update dial_attempts set lease_until = ?
       where status in ('claimed', 'dialling', 'uncertain') and lease_until > ?
         and node_id not in (select id from nodes)`,
      args.now,
      args.now,
    );
  },
});

/** The recording in a selected row; null for a call without a recording in progress. */
function recordingOf(row: Omit<z.infer<typeof OrphanRow>, 'placed_as'>): OrphanRecording | null {
  const { file_name: fileName, recorded_from: createdAt, sample_rate: rate, part_bytes: bytes } = row;
  if (fileName === null || createdAt === null || rate === null || bytes === null) return null;
  return { fileName, createdAt, storedMs: durationMs(bytes, STEREO_FRAME_BYTES, rate) };
}
