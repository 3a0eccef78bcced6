import { askPolicy } from '#policy/decisions/ask-policy.js';
import type { NumberHistory } from '#policy/decisions/number-history.js';
import type { RefusalReason } from '#policy/deciding/decision.js';
import { rulesWith, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { requireOpening } from '#policy/deciding/require-opening.js';
import type { Tx } from '#store/transaction.js';
import type { NewCall } from '#calls/record/call.js';
import { DEFERRED_AT_MOST_MS } from '#calls/queue/dial-queue.js';
import { plannedFor } from './draft-call.js';

/**
 * A call that is being accepted, its due time, and the rules of the policy. `at` is the current time. Instants are in
 * epoch milliseconds.
 */
export interface Acceptance {
  call: NewCall;
  dueAt: number;
  rules: PolicyRules;
  at: number;
  /** What the policy decides by, if this transaction has read it already. */
  history?: NumberHistory;
}

/** The call as it is stored, its due time, and the reason if the policy refuses it at present. */
export interface Accepted extends Pick<Acceptance, 'call' | 'dueAt'> {
  refused: RefusalReason | null;
}

/**
 * Asks the policy about a call that is being accepted, and stores the decision. A deferred call is queued for the later
 * time; a deferral beyond the longest one changes nothing here, since the policy is asked again when the call is due. A
 * refused call is returned with the reason; a scheduled one is stored all the same, for the same cause.
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
    rules: rulesWith(rules, call.call_window),
    history,
  });
  if (decision.verdict === 'skip') return { call, dueAt, refused: decision.reason };
  if (decision.verdict !== 'defer' || decision.until > latestOf(dueAt)) return { call, dueAt, refused: null };
  const { until } = decision;
  return { call: { ...call, status: 'queued', ...plannedFor(until) }, dueAt: until, refused: null };
}

/**
 * {@link askAboutCall} for a client's request: a call window that prevents the call is refused at once.
 * @throws Problem `validation_error`
 */
export async function askOnAccepting(tx: Tx, acceptance: Acceptance): Promise<Accepted> {
  const { call, dueAt, rules, at } = acceptance;
  const wanted = { at: Math.max(at, dueAt), latestAt: latestOf(dueAt), rules };
  requireOpening(call.call_window, call.to_phone, wanted);
  return askAboutCall(tx, acceptance);
}

function latestOf(dueAt: number): number {
  return dueAt + DEFERRED_AT_MOST_MS;
}
