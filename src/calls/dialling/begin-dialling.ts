import { isForeignCallerId } from '#agents/phone-numbers/caller-id.js';
import { askPolicy } from '#policy/decisions/ask-policy.js';
import { atAnyTime, rulesWith, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { requireKeptAgent } from '#agents/definitions/agent-rows.js';
import { isRefused } from '#agents/definitions/require-providers.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { SqlValue, Tx } from '#store/transaction.js';
import { finishRepaired, lockRepaired } from '#calls/endings/repaired-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { UNREADABLE_AT, type AttemptStatus } from '#calls/queue/dial-attempt.js';
import { notifyOwner } from '#calls/end-delivery/settlement.js';
import { DEFERRED_AT_MOST_MS } from '#calls/queue/dial-queue.js';
import type { CallRow } from '#calls/record/call.js';
import { moveCall } from '#calls/record/call-progress.js';
import { setColumns } from '#calls/record/call-rows.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { isLive } from '#calls/record/call-rows.js';
import { plannedFor } from '#calls/requests/draft-call.js';
import { moveHeld, UNHELD, type AttemptOf, type Lease } from './held-attempt.js';

/** What dialling an attempt needs. */
export interface BeginDialling extends AttemptOf {
  held: Lease;
  /** When it was wanted at first, when it is due, and until when it would still be (epoch milliseconds). */
  wanted: { at: number; dueAt: number; expiresAt: number };
  deadlineAt: number;
  /** See `mayHaveRung`. */
  mayHaveRung: boolean;
  provider: string;
  /** The caller id that every workspace may call with. */
  defaultFromNumber: string;
  /** What the policy goes by. */
  rules: PolicyRules;
  /** Null where calls with unconfigured providers are not refused. */
  providers: KnownProviders | null;
  /** The present, and the end of the call should the policy refuse it. */
  finish: FinishDetails;
}

/** What became of the request to dial. */
export type BeginOutcome =
  | { kind: 'dial'; to: string; from: string; ringSeconds: number | null }
  /** Somebody else has it, or its call is over. */
  | { kind: 'not_ours' }
  /** The policy wants it later: it is back in the queue. */
  | { kind: 'deferred' }
  /** The policy does not want it at all, its time ran out, or what is kept of it cannot be read: it is over. */
  | { kind: 'refused'; call: CallRow };

/**
 * The last durable word before the carrier hears of a call: the policy allows it, the attempt is `dialling`, the call
 * `connecting`.
 */
export async function beginDialling(tx: Tx, args: BeginDialling): Promise<BeginOutcome> {
  const { at } = args.finish.context;
  // This process stood still since it took the attempt: whoever settles what others left takes it from here.
  if (at >= args.held.leaseUntil) return { kind: 'not_ours' };
  const held = await lockRepaired(tx, args.callId);
  const call = held?.value;
  if (!call || call.ended_reason !== null || call.ended_at !== null) {
    await moveHeld(tx, args, { from: 'claimed', to: 'ended', at });
    return { kind: 'not_ours' };
  }
  const { deadlineAt } = args;
  // What was asked about an earlier request says nothing about this one.
  const untilThen = { dial_deadline_at: deadlineAt, lease_until: deadlineAt, look_ups: 0 };
  const marked = await moveHeld(tx, args, { from: 'claimed', to: 'dialling', at }, untilThen);
  if (!marked) return { kind: 'not_ours' };
  if (held.repair) {
    await leaveDialling(tx, args, { to: 'ended', at });
    return { kind: 'refused', call: await finishRepaired(tx, held, { ...args.finish, reason: 'damaged' }) };
  }
  const refused =
    (await refuseLate(tx, call, args)) ??
    (await refuseOrphan(tx, call, args)) ??
    (await refuseUnconfigured(tx, call, args)) ??
    (await refuseForeignCallerId(tx, call, args)) ??
    (await askWhetherAllowed(tx, call, args));
  if (refused) return refused;
  const ours = { node_id: args.held.nodeId, provider: args.provider };
  if (call.status !== 'connecting') {
    await moveCall(tx, call, { to: 'connecting', context: args.finish.context, alongside: ours });
  } else {
    // A call that is dialled again does not move; that it rings anew is told by `updated_at`.
    await setColumns(tx, call.id, { ...ours, started_at: call.started_at ?? at, updated_at: at });
  }
  return { kind: 'dial', to: call.to_phone, from: call.from_phone, ringSeconds: call.ring_seconds };
}

/** Ends a call whose time ran out since it was taken; null when there is time, or nobody can read until when. */
async function refuseLate(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  const { at } = args.finish.context;
  const { expiresAt } = args.wanted;
  if (expiresAt === UNREADABLE_AT || at < expiresAt) return null;
  return refuse(tx, call, args, 'expired');
}

/** Ends a call whose caller, for whom it was made, has hung up since; null for any other. */
async function refuseOrphan(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  if (call.parent_call_id === null || (await isLive(tx, call.parent_call_id))) return null;
  return refuse(tx, call, args, 'cancelled');
}

/** Ends a call whose agent names a provider that cannot be used, where the service is set up to refuse such. */
async function refuseUnconfigured(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  if (args.providers === null) return null;
  const agent = await requireKeptAgent(tx, call.agent_id);
  const { transcription_provider } = call;
  if (!isRefused({ ...agent, transcription_provider }, args.providers)) return null;
  return refuse(tx, call, args, 'provider_not_configured');
}

/** Ends a call whose caller id another workspace has registered since it was asked for; null for any other. */
async function refuseForeignCallerId(
  tx: Tx,
  call: CallRow,
  args: BeginDialling,
): Promise<BeginOutcome | null> {
  const { workspace, from_phone: phoneNumber } = call;
  if (phoneNumber === args.defaultFromNumber) return null;
  const isForeign = await isForeignCallerId(tx, { workspace, phoneNumber });
  return isForeign ? refuse(tx, call, args, 'caller_id_not_yours') : null;
}

/** Asks the policy, whose answer is stored, and does what it says; null when the call may be dialled. */
async function askWhetherAllowed(tx: Tx, call: CallRow, args: BeginDialling): Promise<BeginOutcome | null> {
  const { at } = args.finish.context;
  const { at: wantedAt, dueAt, expiresAt } = args.wanted;
  const decision = await askPolicy(tx, {
    workspace: call.workspace,
    phoneNumber: call.to_phone,
    moment: 'dialling',
    subjectId: args.attemptId,
    callId: call.id,
    now: at,
    rules: rulesWith(call.parent_call_id === null ? args.rules : atAnyTime(args.rules), call.call_window),
  });
  if (decision.verdict === 'dial') return null;
  const isOfBatch = call.batch_id !== null;
  const isTooFar =
    !isOfBatch && decision.verdict === 'defer' && decision.until > wantedAt + DEFERRED_AT_MOST_MS;
  // Nobody knows for how long the carrier would know it again.
  if (decision.verdict === 'skip' || isTooFar || args.mayHaveRung)
    return refuse(tx, call, args, decision.reason);
  await leaveDialling(
    tx,
    args,
    { to: 'pending', at },
    { due_at: decision.until, expires_at: decision.until + expiresAt - dueAt, ...UNHELD },
  );
  const { estimated_start_at, scheduled_at } = plannedFor(decision.until);
  // Told as if it had been put off when it was accepted; who is of a batch is told of by that.
  const told = { estimated_start_at, ...(isOfBatch ? {} : { scheduled_at }) };
  await setColumns(tx, call.id, { ...told, updated_at: at });
  // A batch has no hour of its own after which it is too late: it takes the number back, and calls others meanwhile.
  if (isOfBatch) await notifyOwner(tx, call.id);
  return { kind: 'deferred' };
}

/** Ends a call that is not dialled now; of one that may have rung before, nobody knows whether it was. */
async function refuse(tx: Tx, call: CallRow, args: BeginDialling, why: EndedReason): Promise<BeginOutcome> {
  await leaveDialling(tx, args, { to: 'ended', at: args.finish.context.at });
  const reason = args.mayHaveRung ? 'uncertain' : why;
  return { kind: 'refused', call: await finishCall(tx, call, { ...args.finish, reason }) };
}

/** The attempt was `dialling` within this transaction alone: the carrier is not asked. */
async function leaveDialling(
  tx: Tx,
  { attemptId, held, deadlineAt }: BeginDialling,
  { to, at }: { to: AttemptStatus; at: number },
  columns: Readonly<Record<string, SqlValue>> = {},
): Promise<void> {
  const since = { attemptId, held: { nodeId: held.nodeId, leaseUntil: deadlineAt } };
  await moveHeld(tx, since, { from: 'dialling', to, at }, columns);
}
