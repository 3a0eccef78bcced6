import { askPolicy } from '../../policy/ask-policy.js';
import { rulesWith, type PolicyRules } from '../../policy/policy-rules.js';
import { requireOpening } from '../../policy/require-opening.js';
import type { Tx } from '../../store/unit.js';
import type { NewCall } from '../record/call.js';
import { DEFERRED_AT_MOST_MS } from '../queue/dial-queue.js';
import { plannedFor } from './draft-call.js';

/**
 * Asks the policy about a call that is being accepted; the answer is stored. A call that has to wait is queued for that
 * time, as far as it may be put off. One that must not be made is accepted all the same, and ends when its turn comes:
 * then the policy is asked again, and much may have changed. Only a window of its own that keeps it from being made is
 * refused at once.
 * @throws Problem `validation_error`
 */
export async function askOnAccepting(
  tx: Tx,
  { call, dueAt, rules, at }: { call: NewCall; dueAt: number; rules: PolicyRules; at: number },
): Promise<{ call: NewCall; dueAt: number }> {
  const wantedAt = Math.max(at, dueAt);
  const latestAt = dueAt + DEFERRED_AT_MOST_MS;
  requireOpening(call.call_window, call.to_phone, { at: wantedAt, latestAt, rules });
  const decision = await askPolicy(tx, {
    workspace: call.workspace,
    phoneNumber: call.to_phone,
    moment: 'accepted',
    subjectId: call.id,
    callId: call.id,
    now: at,
    dialAt: wantedAt,
    rules: rulesWith(rules, call.call_window),
  });
  if (decision.verdict !== 'defer' || decision.until > latestAt) return { call, dueAt };
  const { until } = decision;
  return { call: { ...call, status: 'queued', ...plannedFor(until) }, dueAt: until };
}
