import { DIAL_GRACE_MS, enqueueAttempt } from '#calls/queue/dial-queue.js';
import type { CallRow } from '#calls/record/call.js';
import type { TxContext } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import type { askAboutCall } from '#calls/requests/accept-call.js';
import { plannedFor } from '#calls/requests/draft-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/transaction.js';
import { FOLLOWS_WITHIN_MS } from '#batches/record/batch.js';
import type { WantedTime } from '#batches/scheduled-calls/handles/handle-change.js';
import { keepHandle, NO_NEXT, type HeldHandle } from '#batches/scheduled-calls/handles/queued-call-handle.js';

/** New ids for a further call and its place in the queue. */
export interface FurtherIds {
  callId: string;
  dialId: string;
}

/** Arguments of a further call. */
interface FurtherCallRequest {
  ids: FurtherIds;
  from: string | null;
  time: WantedTime;
  context: TxContext;
  /** The rules of the policy, and how to ask it: with a client to answer, or without. */
  rules: PolicyRules;
  ask: typeof askAboutCall;
}

/**
 * Calls the number of a finished handle again: a further call with the options of the last one. Each call is dialled
 * once and ends once.
 * @throws Problem `invalid_state` if the number was erased
 */
export async function callAgain(
  tx: Tx,
  { kept, latest, isErased }: HeldHandle,
  request: FurtherCallRequest,
): Promise<CallRow> {
  if (isErased) throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  const { ids, from, time, context, rules, ask } = request;
  const { at } = context;
  const call = {
    ...latest,
    ...plannedFor(time.at),
    id: ids.callId,
    status: 'queued' as const,
    from_phone: from ?? latest.from_phone,
    scheduled_time: time.written,
    timezone: time.readIn ?? null,
    provider_call_id: null,
    node_id: null,
  };
  // Not before the end of the last call; but not hours late if that end was settled late.
  const freeAt = Math.max(time.at, latest.ended_at ?? time.at);
  const wantedAt = freeAt <= time.at + FOLLOWS_WITHIN_MS ? freeAt : time.at;
  const isTooLate = wantedAt + DIAL_GRACE_MS < at;
  // A call that is too late is not deferred further.
  const accepted = isTooLate
    ? { call, dueAt: wantedAt }
    : await ask(tx, { call, dueAt: wantedAt, rules, at });
  const agent = { id: latest.agent_id, name: latest.agent_name, language: latest.language };
  const further = await createCall(tx, { call: accepted.call, agent, context });
  await tx.run(
    `insert into further_calls (call_id, handle_id, attempt)
     select ?, ?, coalesce(max(attempt), 0) + 1 from further_calls where handle_id = ?`,
    further.id,
    kept.call_id,
    kept.call_id,
  );
  const { dueAt } = accepted;
  enqueueAttempt(tx, { id: ids.dialId, callId: further.id, lane: 'single', dueAt, wantedAt, at });
  await keepHandle(tx, kept.call_id, { ...NO_NEXT, shown_status: null });
  return further;
}
