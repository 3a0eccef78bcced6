import { isForeignCallerId } from '#agents/phone-numbers/caller-id.js';
import { askPolicy, loadHistory, type PolicyAsk } from '#policy/decisions/ask-policy.js';
import { rulesForTransfer, withOwnWindow, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { requireAgentOfCall } from '#agents/definitions/agent-rows.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { finishRepaired, lockRepaired } from '#calls/endings/repaired-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { UNREADABLE_AT, type AttemptStatus } from '#calls/queue/dial-attempt.js';
import { markForOwner } from '#calls/end-delivery/settlement.js';
import { MAX_DEFERRAL_MS } from '#calls/queue/dial-queue.js';
import type { CallRow } from '#calls/record/call.js';
import { moveCall } from '#calls/record/call-progress.js';
import { setColumns } from '#calls/record/call-rows.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { isLive } from '#calls/record/call-rows.js';
import { dialTimeColumns } from '#calls/requests/draft-call.js';
import { moveHeld, NO_LEASE, type AttemptAndCall, type Lease } from './held-attempt.js';

// The checks right before a phone rings, in the transaction that marks the attempt as being dialled.

/** The input of {@link beginDialling}, from `Dialler`. */
export interface BeginDialling extends AttemptAndCall {
  /** The lease under which this process has claimed the attempt. */
  lease: Lease;
  /** When the attempt was first wanted, when it is due, and when it expires (epoch milliseconds). */
  wanted: { at: number; dueAt: number; expiresAt: number };
  /** After this instant the dial request may not be sent (epoch milliseconds). */
  deadlineAt: number;
  /** True if an earlier dial request of the attempt may have reached the phone; see `mayHaveRung` of the queue. */
  mayHaveRung: boolean;
  /** The name of the carrier. */
  carrier: string;
  /** The caller id that every workspace may use. */
  defaultFromNumber: string;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  /** Null: calls with unconfigured providers are not refused. */
  providers: KnownProviders | null;
  /** The current time, and how the call ends if it is refused. */
  finish: FinishDetails;
}

/** The result of {@link beginDialling}. */
export type BeginOutcome =
  | { kind: 'dial'; to: string; from: string; ringSeconds: number | null }
  /** Another process holds the attempt, or the call is over. */
  | { kind: 'not_ours' }
  /** The policy has deferred the call: its attempt is back in the queue. */
  | { kind: 'deferred' }
  /** The call has ended undialled: the policy refused it, it expired, its row is corrupt, or another check failed. */
  | { kind: 'refused'; call: CallRow };

/**
 * The last durable step before the dialler sends a dial request: checks the call, asks the policy, marks the attempt
 * `dialling` and the call `connecting`.
 */
export async function beginDialling(tx: Tx, args: BeginDialling): Promise<BeginOutcome> {
  const { at } = args.finish.context;
  // The lease has expired, for example because the machine was suspended: the reconciler settles the attempt.
  if (at >= args.lease.leaseUntil) return { kind: 'not_ours' };
  const locked = await lockRepaired(tx, args.callId);
  const call = locked?.value;
  if (!call || call.ended_reason !== null || call.ended_at !== null) {
    await moveHeld(tx, args, { from: 'claimed', to: 'ended', at });
    return { kind: 'not_ours' };
  }
  const { deadlineAt } = args;
  // Look-ups of an earlier dial request do not count for this one.
  const leaseColumns = { dial_deadline_at: deadlineAt, lease_until: deadlineAt, look_ups: 0 };
  const question = policyQuestion(call, args);
  const [marked, isForeign, history] = await Promise.all([
    moveHeld(tx, args, { from: 'claimed', to: 'dialling', at }, leaseColumns),
    hasForeignCallerId(tx, call, args),
    loadHistory(tx, question),
  ]);
  if (!marked) return { kind: 'not_ours' };
  // A corrupt row may have the wrong number.
  if (locked.repair) {
    await moveFromDialling(tx, args, { to: 'ended', at });
    return { kind: 'refused', call: await finishRepaired(tx, locked, { ...args.finish, reason: 'damaged' }) };
  }
  const stopped =
    (await refuseLate(tx, call, args)) ??
    (await refuseOrphan(tx, call, args)) ??
    (await refuseUnconfigured(tx, call, args)) ??
    (isForeign ? await refuse(tx, call, args, 'caller_id_not_yours') : null) ??
    (await askWhetherAllowed(tx, call, args, { ...question, history }));
  if (stopped) return stopped;
  const processAndCarrier = { node_id: args.lease.nodeId, provider: args.carrier };
  if (call.status !== 'connecting') {
    await moveCall(tx, call, {
      to: 'connecting',
      context: args.finish.context,
      alongside: processAndCarrier,
    });
  } else {
    // A repeated dial does not change the status; `updated_at` shows that the phone rings again.
    setColumns(tx, call.id, { ...processAndCarrier, started_at: call.started_at ?? at, updated_at: at });
  }
  return { kind: 'dial', to: call.to_phone, from: call.from_phone, ringSeconds: call.ring_seconds };
}

/** Ends a call that has expired since it was claimed; null if time is left, or if the expiry cannot be read. */
async function refuseLate(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  const { at } = args.finish.context;
  const { expiresAt } = args.wanted;
  if (expiresAt === UNREADABLE_AT || at < expiresAt) return null;
  return refuse(tx, call, args, 'expired');
}

/** Ends a transfer's call to the other person if the caller has hung up since; null for any other call. */
async function refuseOrphan(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  if (call.parent_call_id === null || (await isLive(tx, call.parent_call_id))) return null;
  return refuse(tx, call, args, 'cancelled');
}

/** Ends a call whose agent names an unconfigured provider, if the service is set up to refuse these calls. */
async function refuseUnconfigured(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  if (args.providers === null) return null;
  const agent = await requireAgentOfCall(tx, call.agent_id);
  const { transcription_provider } = call;
  if (!isRefused({ ...agent, transcription_provider }, args.providers)) return null;
  return refuse(tx, call, args, 'provider_not_configured');
}

/** Whether another workspace has registered the caller id of a call since the request. */
async function hasForeignCallerId(tx: Tx, call: CallRow, args: BeginDialling): Promise<boolean> {
  const { workspace, from_phone: phoneNumber } = call;
  return phoneNumber !== args.defaultFromNumber && (await isForeignCallerId(tx, { workspace, phoneNumber }));
}

/** The question to the policy about a call that is about to be dialled. A transfer call is allowed at any hour. */
function policyQuestion(call: CallRow, args: BeginDialling): PolicyAsk {
  return {
    workspace: call.workspace,
    phoneNumber: call.to_phone,
    moment: 'dialling',
    subjectId: args.attemptId,
    callId: call.id,
    now: args.finish.context.at,
    rules: withOwnWindow(
      call.parent_call_id === null ? args.rules : rulesForTransfer(args.rules),
      call.call_window,
    ),
  };
}

/** Asks the policy, stores its decision and applies it; null when the call may be dialled. */
async function askWhetherAllowed(
  tx: Tx,
  call: CallRow,
  args: BeginDialling,
  question: PolicyAsk,
): Promise<BeginOutcome | null> {
  const { at } = args.finish.context;
  const { at: wantedAt, dueAt, expiresAt } = args.wanted;
  const decision = await askPolicy(tx, question);
  if (decision.verdict === 'dial') return null;
  const isOfBatch = call.batch_id !== null;
  // The calls of a batch may be deferred without a limit.
  const isTooFar = !isOfBatch && decision.verdict === 'defer' && decision.until > wantedAt + MAX_DEFERRAL_MS;
  // An attempt that may have rung is not deferred: the carrier may recognise its reference for a short time only.
  if (decision.verdict === 'skip' || isTooFar || args.mayHaveRung)
    return refuse(tx, call, args, decision.reason);
  await moveFromDialling(
    tx,
    args,
    { to: 'pending', at },
    // The time from the due time to the expiry stays.
    { due_at: decision.until, expires_at: decision.until + expiresAt - dueAt, ...NO_LEASE },
  );
  const { estimated_start_at, scheduled_at } = dialTimeColumns(decision.until);
  // The call shows the deferred time, as if it had been scheduled for it. A batch call shows no `scheduled_at`: the
  // batch reports the times of its calls.
  const plannedTimes = { estimated_start_at, ...(isOfBatch ? {} : { scheduled_at }) };
  setColumns(tx, call.id, { ...plannedTimes, updated_at: at });
  // The batch dispatcher then calls other recipients meanwhile.
  if (isOfBatch) await markForOwner(tx, call.id);
  return { kind: 'deferred' };
}

/** Ends a call instead of dialling it. The reason is `uncertain` if an earlier dial request may have rung. */
async function refuse(
  tx: Tx,
  call: CallRow,
  args: BeginDialling,
  refusal: EndedReason,
): Promise<BeginOutcome> {
  await moveFromDialling(tx, args, { to: 'ended', at: args.finish.context.at });
  const reason = args.mayHaveRung ? 'uncertain' : refusal;
  return { kind: 'refused', call: await finishCall(tx, call, { ...args.finish, reason }) };
}

/**
 * Moves the attempt on from `dialling`, which this transaction has set: no dial request was sent. The lease now ends at
 * the deadline.
 */
async function moveFromDialling(
  tx: Tx,
  { attemptId, lease, deadlineAt }: BeginDialling,
  { to, at }: { to: AttemptStatus; at: number },
  columns: Readonly<Record<string, SqlValue>> = {},
): Promise<void> {
  const dialling = { attemptId, lease: { nodeId: lease.nodeId, leaseUntil: deadlineAt } };
  await moveHeld(tx, dialling, { from: 'dialling', to, at }, columns);
}
