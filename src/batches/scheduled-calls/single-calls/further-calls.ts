import { DIAL_GRACE_MS, enqueueAttempt } from '#calls/queue/dial-queue.js';
import type { CallRow } from '#calls/record/call.js';
import type { Moment } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import type { askAboutCall } from '#calls/requests/accept-call.js';
import { plannedFor } from '#calls/requests/draft-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Tx } from '#store/unit.js';
import { FOLLOWS_WITHIN_MS } from '#batches/record/batch.js';
import type { WantedTime } from '#batches/scheduled-calls/handles/handle-change.js';
import { keepHandle, NO_NEXT, type HeldHandle } from '#batches/scheduled-calls/handles/queued-call-handle.js';

/** Fresh ids for a call that may have to be made, and for its place in the queue. */
export interface FurtherIds {
  callId: string;
  dialId: string;
}

/** What the call is to be that is made once more. */
interface FurtherCallRequest {
  ids: FurtherIds;
  from: string | null;
  time: WantedTime;
  moment: Moment;
  /** What the policy goes by, and how it is asked: with somebody there to be told, or without. */
  rules: PolicyRules;
  ask: typeof askAboutCall;
}

/**
 * Calls the number of a handle once more, whose last call is over: with a further call, which has all that the last one
 * was to have. Each of them is dialled once, and ends once.
 * @throws Problem `invalid_state` where it is not known any more whom to call
 */
export async function callAgain(
  tx: Tx,
  { kept, latest, isErased }: HeldHandle,
  request: FurtherCallRequest,
): Promise<CallRow> {
  if (isErased) throw new Problem('invalid_state', 'The number is erased: it cannot be called again.');
  const { ids, from, time, moment, rules, ask } = request;
  const { at } = moment;
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
  // Never beside the call before; and nobody is phoned hours late because its end was heard of so late.
  const freeAt = Math.max(time.at, latest.ended_at ?? time.at);
  const wantedAt = freeAt <= time.at + FOLLOWS_WITHIN_MS ? freeAt : time.at;
  const isTooLate = wantedAt + DIAL_GRACE_MS < at;
  // What is too late is put off no further.
  const accepted = isTooLate
    ? { call, dueAt: wantedAt }
    : await ask(tx, { call, dueAt: wantedAt, rules, at });
  const agent = { id: latest.agent_id, name: latest.agent_name, language: latest.language };
  const further = await createCall(tx, { call: accepted.call, agent, moment });
  await tx.run(
    `insert into further_calls (call_id, handle_id, attempt)
     select ?, ?, coalesce(max(attempt), 0) + 1 from further_calls where handle_id = ?`,
    further.id,
    kept.call_id,
    kept.call_id,
  );
  const { dueAt } = accepted;
  await enqueueAttempt(tx, { id: ids.dialId, callId: further.id, lane: 'single', dueAt, wantedAt, at });
  await keepHandle(tx, kept.call_id, { ...NO_NEXT, shown_status: null });
  return further;
}
