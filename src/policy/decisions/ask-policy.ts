import { takeTurn } from '#store/statements/turn.js';
import type { Tx } from '#store/unit.js';
import { decide } from '#policy/deciding/decide.js';
import type { Decision } from '#policy/deciding/decision.js';
import {
  insertDecision,
  insertDecisions,
  removeDecision,
  type DecisionColumns,
  type PolicyMoment,
} from './decision-rows.js';
import { historyOf } from './number-history.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { suppressionUnits } from '#policy/suppressions/suppression-store.js';

/** A question to the policy. Instants are epoch milliseconds. */
export interface PolicyAsk {
  workspace: string;
  /** E.164. */
  phoneNumber: string;
  moment: PolicyMoment;
  /** What is asked for: the call or schedule that is being accepted, or the attempt that is about to dial. */
  subjectId: string;
  callId: string | null;
  now: number;
  /** When it would be dialled; now, when left out. */
  dialAt?: number;
  rules: PolicyRules;
}

/**
 * Asks whether a number may be dialled, inside the transaction of whoever wants to, and stores the answer. Its cost
 * does not depend on how many numbers, entries or decisions there are.
 *
 * The stored answers are also the history that caps count: an attempt that was allowed to dial. Asking again for the
 * same attempt replaces that answer, since nothing came of it.
 */
export async function askPolicy(tx: Tx, ask: PolicyAsk): Promise<Decision> {
  const { workspace, phoneNumber, now, rules } = ask;
  if (ask.moment === 'dialling') await takeTurns(tx, ask, async () => [phoneNumber]);
  const history = await historyOf(tx, {
    workspace,
    phoneNumber,
    now,
    attemptsAtMost: attemptsThatCount(rules),
  });
  const own = history.attempts.find((attempt) => attempt.subjectId === ask.subjectId);
  const decision = decide(
    {
      phoneNumber,
      now: ask.dialAt ?? now,
      suppression: history.suppression,
      attempts: history.attempts.filter((attempt) => attempt !== own).map((attempt) => attempt.at),
    },
    rules,
  );
  if (own) await removeDecision(tx, { ...ask, decidedAt: own.at });
  await insertDecision(tx, rowOf(ask, decision));
  return decision;
}

/** Calls that are accepted together; instants are epoch milliseconds. */
export interface AcceptedCalls extends Pick<PolicyAsk, 'workspace' | 'now' | 'rules'> {
  dialAt: number;
  /** At most some hundred, each with a number of its own. */
  calls: readonly { phoneNumber: string; callId: string }[];
}

/**
 * Stores, of calls that are accepted together, which ones are refused because their number is on the suppression list
 * for as long as they could be dialled. Whatever else speaks against a call is found when its turn comes.
 */
export async function keepSuppressed(tx: Tx, { calls, dialAt, ...shared }: AcceptedCalls): Promise<void> {
  const callIds = new Map(calls.map(({ phoneNumber, callId }) => [phoneNumber, callId]));
  const phoneNumbers = [...callIds.keys()];
  const { workspace, rules } = shared;
  const entries = await suppressionUnits.check(tx, { workspace, phoneNumbers, now: dialAt });
  const rows = entries.map(({ phone_number: phoneNumber, reason, expires_at: until }) => {
    const callId = callIds.get(phoneNumber)!;
    const ask = { ...shared, phoneNumber, callId, subjectId: callId, moment: 'accepted' as const };
    const suppression = { reason, until };
    return rowOf(ask, decide({ phoneNumber, now: dialAt, suppression, attempts: [] }, rules));
  });
  await insertDecisions(tx, rows);
}

/** No cap counts more than these, and one may be the very attempt that is asked about. */
function attemptsThatCount({ caps }: PolicyRules): number {
  return Math.max(0, ...caps.map(({ attempts }) => attempts)) + 1;
}

/**
 * Processes that want to dial one number at the same time decide one after the other: a cap holds across all of them.
 * Whoever is to ask about several in one transaction has its turn with all of them first: everybody waits in one order,
 * and no two for each other.
 * @param numbers which (E.164); not asked for where nobody else can be at it
 */
export async function takeTurns(
  tx: Tx,
  { workspace, rules }: Pick<PolicyAsk, 'workspace' | 'rules'>,
  numbers: () => Promise<readonly string[]>,
): Promise<void> {
  if (tx.dialect.engine !== 'postgres' || rules.mode !== 'enforce') return;
  for (const phoneNumber of [...(await numbers())].sort()) await takeTurn(tx, `${workspace} ${phoneNumber}`);
}

function rowOf(ask: PolicyAsk, decision: Decision): DecisionColumns {
  const { findings } = decision;
  return {
    workspace: ask.workspace,
    phone_number: ask.phoneNumber,
    decided_at: ask.now,
    subject_id: ask.subjectId,
    moment: ask.moment,
    call_id: ask.callId,
    mode: ask.rules.mode,
    verdict: decision.verdict,
    reason: decision.verdict === 'dial' ? null : decision.reason,
    until_at: decision.verdict === 'defer' ? decision.until : null,
    findings: findings.length === 0 ? null : JSON.stringify(findings),
  };
}
