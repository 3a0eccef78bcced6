import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { rulesForTransfer } from '#policy/deciding/policy-rules.js';
import { defineTransactions } from '#store/transaction.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { isLive, lockCall } from '#calls/record/call-rows.js';
import type { CallRow, NewCall } from '#calls/record/call.js';
import type { TxContext } from '#calls/record/call-progress.js';
import { createCall } from '#calls/record/create-call.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { noteOnCall } from '#calls/record/life-cycle-log.js';
import { askAboutCall } from '#calls/requests/accept-call.js';

/** The time within which a transfer call must be dialled, because the caller waits. Later it expires. */
const DIAL_WITHIN_MS = 15_000;

/** The call to the person of a warm transfer (the transfer call), who is asked whether they take the caller. */
export interface NewLeg {
  id: string;
  /** The id of its dial attempt. */
  attemptId: string;
  /** The id of the caller's call. */
  parentId: string;
  /** The person's number (E.164). */
  to: string;
  /** The caller id, if the caller's line has no number. */
  defaultFromNumber: string;
  carrierName: string;
  ringSeconds: number;
  rules: PolicyRules;
  context: TxContext;
}

/** The transactions of `WarmTransfers` and `WarmTransfer`. */
export const transferTransactions = defineTransactions('transfers', {
  /** Creates a transfer call and puts it into the dial queue; false when the caller's call is ending. */
  async begin(tx, args: NewLeg): Promise<boolean> {
    const { context, parentId, to } = args;
    const parent = await lockCall(tx, parentId);
    if (!parent || !(await isLive(tx, parentId))) return false;
    const { at } = context;
    const draft = draftLeg(parent, args);
    // The answer of the policy is only stored: a refusal takes effect when the policy is asked again before dialling.
    const { call } = await askAboutCall(tx, {
      call: draft,
      dueAt: at,
      rules: rulesForTransfer(args.rules),
      at,
    });
    const { agent_id: id, agent_name: name, language } = parent;
    await createCall(tx, { call, agent: { id, name, language }, context });
    enqueueAttempt(tx, {
      id: args.attemptId,
      callId: call.id,
      lane: 'single',
      dueAt: at,
      graceMs: DIAL_WITHIN_MS,
      at,
    });
    noteOnCall(tx, parent, { type: 'transfer_begun', at, data: { to, leg_call_id: call.id } });
    return true;
  },

  /** The ended reason of a call; null while it is not over. */
  async endOf(tx, args: { callId: string }): Promise<EndedReason | null> {
    const row = await tx.get(
      'select ended_reason from calls where id = ? and ended_at is not null',
      args.callId,
    );
    return row ? (row['ended_reason'] as EndedReason) : null;
  },
});

/** The columns of a transfer call: its options are those of the caller's call. */
function draftLeg(parent: CallRow, leg: NewLeg): NewCall {
  const { at } = leg.context;
  const callerId = parent.direction === 'outbound' ? parent.from_phone : parent.to_phone;
  return {
    id: leg.id,
    workspace: parent.workspace,
    direction: 'outbound',
    status: 'initiated',
    to_phone: leg.to,
    from_phone: callerId === '' ? leg.defaultFromNumber : callerId,
    name: null,
    provider: leg.carrierName,
    provider_call_id: null,
    customer_data: {},
    customer_context: {},
    metadata: {},
    record_call: parent.record_call,
    record_storage: parent.record_storage,
    enable_transcription: parent.enable_transcription,
    transcription_provider: parent.transcription_provider,
    timeout_seconds: parent.timeout_seconds,
    silence_timeout_seconds: parent.silence_timeout_seconds,
    scheduled_time: null,
    scheduled_at: null,
    timezone: null,
    estimated_start_at: at,
    call_window: null,
    batch_id: null,
    schedule_id: null,
    execution_id: null,
    node_id: null,
    parent_call_id: parent.id,
    ring_seconds: leg.ringSeconds,
  };
}
