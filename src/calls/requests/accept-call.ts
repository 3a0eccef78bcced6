import { askPolicy } from '../../policy/ask-policy.js';
import { rulesWith, type PolicyRules } from '../../policy/policy-rules.js';
import type { Tx } from '../../store/unit.js';
import type { NewCall } from '../record/call.js';
import { DEFERRED_AT_MOST_MS } from '../queue/dial-queue.js';
import { plannedFor } from './draft-call.js';

/**
 * Asks the policy about a call that is being accepted; the answer is stored. A call that has to wait is queued for that
 * time, as far as it may be put off. One that must not be made is accepted all the same, and ends when its turn comes:
 * then the policy is asked again, and much may have changed.
 */
export async function askOnAccepting(
  tx: Tx,
  { call, dueAt, rules, at }: { call: NewCall; dueAt: number; rules: PolicyRules; at: number },
): Promise<{ call: NewCall; dueAt: number }> {
  const decision = await askPolicy(tx, {
    workspace: call.workspace,
    phoneNumber: call.to_phone,
    moment: 'accepted',
    subjectId: call.id,
    callId: call.id,
    now: at,
    dialAt: Math.max(at, dueAt),
    rules: rulesWith(rules, call.call_window),
  });
  if (decision.verdict !== 'defer' || decision.until > dueAt + DEFERRED_AT_MOST_MS) return { call, dueAt };
  const { until } = decision;
  return { call: { ...call, status: 'queued', ...plannedFor(until) }, dueAt: until };
}
