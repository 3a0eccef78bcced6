import { askPolicy } from '#policy/decisions/ask-policy.js';
import type { NumberHistory } from '#policy/decisions/number-history.js';
import type { RefusalReason } from '#policy/deciding/decision.js';
import { withOwnWindow, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { requireOpening } from '#policy/deciding/require-opening.js';
import type { Tx } from '#store/transaction.js';
import type { NewCall } from '#calls/record/call.js';
import { MAX_DEFERRAL_MS } from '#calls/queue/dial-queue.js';
import { dialTimeColumns } from './draft-call.js';

// Asks the calling policy about new calls, inside the transactions that create calls or change their time. The policy
// is asked again right before a call is dialled.

/** The input of {@link askAboutCall}. Instants are in epoch milliseconds. */
export interface Acceptance {
  /** The columns of the call; it need not be stored yet. */
  call: NewCall;
  /** When the call is to be dialled. */
  dueAt: number;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  /** The current time. */
  at: number;
  /** The earlier calls and suppressions of the number, if this transaction has read them already. */
  history?: NumberHistory;
}

/**
 * The call and its due time, both as deferred by the policy, and the reason if the policy refuses the call at present.
 */
export interface Accepted extends Pick<Acceptance, 'call' | 'dueAt'> {
  refused: RefusalReason | null;
}

/**
 * Asks the policy about a new call, or about an existing call whose time changes, and stores the decision. The call
 * that is returned for a deferral has the later time. A deferral beyond {@link MAX_DEFERRAL_MS} changes nothing here:
 * the policy is asked again when the call is due. For a refusal the reason is returned; the calling code decides
 * whether the call is stored nevertheless. Called directly for transfers and for calls whose local time moves;
 * requests of clients use {@link askOnAccepting}.
 */
export async function askAboutCall(
  tx: Tx,
  { call, dueAt, rules, at, history }: Acceptance,
): Promise<Accepted> {
  const decision = await askPolicy(tx, {
    workspace: call.workspace,
    phoneNumber: call.to_phone,
    moment: 'accepted',
    subjectId: call.id,
    callId: call.id,
    now: at,
    dialAt: Math.max(at, dueAt),
    rules: withOwnWindow(rules, call.call_window),
    history,
  });
  if (decision.verdict === 'skip') return { call, dueAt, refused: decision.reason };
  if (decision.verdict !== 'defer' || decision.until > latestDeferral(dueAt))
    return { call, dueAt, refused: null };
  const { until } = decision;
  return { call: { ...call, status: 'queued', ...dialTimeColumns(until) }, dueAt: until, refused: null };
}

/**
 * {@link askAboutCall} for a client's request, which is refused if the call window does not open before the latest
 * permitted deferral.
 * @throws Problem `validation_error`
 */
export async function askOnAccepting(tx: Tx, acceptance: Acceptance): Promise<Accepted> {
  const { call, dueAt, rules, at } = acceptance;
  const opening = { at: Math.max(at, dueAt), latestAt: latestDeferral(dueAt), rules };
  requireOpening(call.call_window, call.to_phone, opening);
  return askAboutCall(tx, acceptance);
}

/** The latest instant to which the policy may defer a call. */
function latestDeferral(dueAt: number): number {
  return dueAt + MAX_DEFERRAL_MS;
}
