import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { jsonColumn } from '#store/statements/columns.js';
import { postInsert } from '#store/statements/insert.js';
import { notify } from '#store/statements/notify.js';
import { defineTransactions, type SqlRow, type Tx } from '#store/transaction.js';
import { lockCall } from '#calls/record/call-rows.js';
import { noteOnCall, type CallNote } from '#calls/record/life-cycle-log.js';
import {
  actionAnswer,
  actor,
  callAction,
  type ActionAnswer,
  type ActionStatus,
  type Actor,
  type CallAction,
} from './call-action.js';

// Rows of `call_actions`: requests from one process to the process that carries a call, and their answers. Used by
// `ActionExchange`.

/** A request as the process that carries the call takes it. */
const ActionRequest = z.object({
  id: z.string(),
  call_id: z.string(),
  /** The process that waits for the answer. */
  asked_by: z.string(),
  action: jsonColumn(callAction),
  principal: jsonColumn(actor).nullable(),
});
export type ActionRequest = z.output<typeof ActionRequest>;

/** How long requests are kept: a client that repeats a request with its idempotency key gets the same answer. */
export const ACTIONS_KEPT_MS = 3_600_000;

/** The notification topic for new requests to a process. */
export const requestsTo = (nodeId: string) => `actions:${nodeId}`;
/** The notification topic for answers to the requests of a process. */
export const answersTo = (nodeId: string) => `answers:${nodeId}`;

/** The transactions of `ActionExchange`. */
export const actionTransactions = defineTransactions('call_actions', {
  /**
   * Stores a request to the process that carries a call. False if the call is over, its process is gone, or that
   * process is the asking one. A stored id repeats its request: a withdrawn request waits once more, any other stays as
   * it is.
   * @throws Problem `call_not_found` or `invalid_state` unless the call is an active one of `workspace`, if that is
   *   given
   */
  async ask(
    tx,
    args: {
      id: string;
      callId: string;
      workspace: string | null;
      askedBy: string;
      action: CallAction;
      by: Actor | null;
      at: number;
    },
  ): Promise<boolean> {
    const call = await tx.get(
      `select workspace, status, ended_at, node_id, node_id in (select id from nodes) as is_carried
       from calls where id = ?`,
      args.callId,
    );
    if (args.workspace !== null) requireActiveIn(args.workspace, call);
    if (!call || call['ended_at'] !== null || call['node_id'] === args.askedBy || !call['is_carried'])
      return false;
    const nodeId = String(call['node_id']);
    const row = {
      id: args.id,
      call_id: args.callId,
      node_id: nodeId,
      asked_by: args.askedBy,
      status: 'waiting' satisfies ActionStatus,
      action: JSON.stringify(args.action),
      principal: args.by && JSON.stringify(args.by),
      answer: null,
      created_at: args.at,
    };
    postInsert(
      tx,
      'call_actions',
      row,
      `on conflict (id) do update set status = 'waiting', node_id = excluded.node_id, asked_by = excluded.asked_by,
       created_at = excluded.created_at where call_actions.status = 'withdrawn'`,
    );
    notify(tx, requestsTo(nodeId), args.id);
    return true;
  },

  /**
   * Takes a request to perform it; null if it was taken before, was withdrawn, is for another process, or is older than
   * `since` (epoch milliseconds). No client waits for an older request, even if it could not be withdrawn.
   */
  async take(tx, args: { id: string; nodeId: string; since: number }): Promise<ActionRequest | null> {
    const row = await tx.get(
      `update call_actions set status = 'taken'
       where id = ? and node_id = ? and status = 'waiting' and created_at > ?
       returning id, call_id, asked_by, action, principal`,
      args.id,
      args.nodeId,
      args.since,
    );
    return row ? ActionRequest.parse(row) : null;
  },

  /**
   * Stores the answer to a request that was taken, and the note about it in the log of the call, in one commit; then
   * notifies the asking process. The action itself is erased, since it may contain words of people. A repeat changes
   * nothing.
   */
  async answer(
    tx,
    args: { id: string; askedBy: string; answer: ActionAnswer; note: CallNote | null },
  ): Promise<void> {
    const { note } = args;
    const [call, answered] = await Promise.all([note && lockCall(tx, note.callId), markAnswered(tx, args)]);
    if (note && call && answered === 1) noteOnCall(tx, call, note);
    notify(tx, answersTo(args.askedBy), args.id);
  },

  /** Withdraws a request. False if it was taken before, so that its action may be done. */
  async withdraw(tx, args: { id: string }): Promise<boolean> {
    const changed = await tx.run(
      `update call_actions set status = 'withdrawn' where id = ? and status = 'waiting'`,
      args.id,
    );
    return changed === 1;
  },

  /** The status of a request, and its answer once it is answered. */
  async find(tx, args: { id: string }): Promise<{ status: ActionStatus; answer: ActionAnswer | null }> {
    const row = await tx.get('select status, answer from call_actions where id = ?', args.id);
    const { answer } = z.object({ answer: jsonColumn(actionAnswer).nullable() }).parse(row);
    return { status: row!['status'] as ActionStatus, answer };
  },

  /** The ids of the requests that a process can still take, oldest first; `since` as for `take`. */
  async waiting(tx, args: { nodeId: string; since: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id from call_actions where node_id = ? and status = 'waiting' and created_at > ?
       order by created_at, id`,
      args.nodeId,
      args.since,
    );
    return rows.map((row) => String(row['id']));
  },

  /** Deletes at most `limit` requests that were made before an instant; resolves with how many. */
  purge(tx, args: { before: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from call_actions where id in (
         select id from call_actions where created_at < ? order by created_at limit ?)`,
      args.before,
      args.limit,
    );
  },
});

/** @throws Problem `call_not_found` unless it is a call of the workspace; `invalid_state` unless it is active */
export function requireActiveIn(workspace: string, call: SqlRow | undefined): void {
  if (call?.['workspace'] !== workspace)
    throw new Problem('call_not_found', 'There is no call with this id.');
  if (call['status'] !== 'active') throw new Problem('invalid_state', 'The call is not live.');
}

/** Marks a request as answered. Resolves with 1, or with 0 if it was answered before. */
function markAnswered(tx: Tx, { id, answer }: { id: string; answer: ActionAnswer }): Promise<number> {
  return tx.run(
    `update call_actions set status = 'answered', answer = ?, action = '{}', principal = null
     where id = ? and status = 'taken'`,
    JSON.stringify(answer),
    id,
  );
}

/** Deletes the requests about a call, as part of its erasure. */
export async function deleteActions(tx: Tx, callId: string): Promise<void> {
  await tx.run('delete from call_actions where call_id = ?', callId);
}
