import type { Tx } from '#store/transaction.js';
import type { CallRow, NewCall } from './call.js';
import { announceCreation, type TxContext } from './call-progress.js';
import { insertCall, type CallAgent } from './insert-call.js';

/**
 * Creates a call and announces its first status; a `queued` call announces nothing yet. Every transaction that creates
 * calls uses it. A call is dialled once this transaction or a later one puts it into the dial queue
 * (`enqueueAttempt`).
 */
export async function createCall(
  tx: Tx,
  args: { call: NewCall; agent: CallAgent; context: TxContext },
): Promise<CallRow> {
  const call = insertCall(tx, args.call, args.agent, args.context.at);
  await announceCreation(tx, call, args.context);
  return call;
}
