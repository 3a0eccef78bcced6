import type { Tx } from '#store/transaction.js';
import { decide } from '#policy/deciding/decide.js';
import type { Decision } from '#policy/deciding/decision.js';
import {
  insertDecision,
  insertDecisions,
  removeDecision,
  type DecisionColumns,
  type PolicyMoment,
} from './decision-rows.js';
import { historyOf, type NumberHistory } from './number-history.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';

/** A request for a decision about a number. Instants are epoch milliseconds. */
export interface PolicyAsk {
  workspace: string;
  /** E.164. */
  phoneNumber: string;
  moment: PolicyMoment;
  /** The call or schedule to accept, or the attempt to dial. */
  subjectId: string;
  callId: string | null;
  now: number;
  /** When the number would be dialled; `now` by default. */
  dialAt?: number;
  rules: PolicyRules;
  /** The result of {@link loadHistory}, if the transaction has read it already. */
  history?: NumberHistory | undefined;
}

/**
 * Decides whether a number may be dialled, and stores the decision, in the transaction that accepts or dials the call,
 * or ends a waiting call whose number was suppressed. The cost does not grow with the number of decisions or
 * suppressions.
 *
 * Attempt caps count the stored decisions that allowed an attempt. A new decision about the same attempt replaces the
 * old one, because the attempt was not made then.
 */
export async function askPolicy(tx: Tx, ask: PolicyAsk): Promise<Decision> {
  const { phoneNumber, now, rules } = ask;
  const history = ask.history ?? (await loadHistory(tx, ask));
  // The decision that allowed the same attempt before, if the attempt was not made then.
  const earlierDecision = history.attempts.find((attempt) => attempt.subjectId === ask.subjectId);
  const decision = decide(
    {
      phoneNumber,
      now: ask.dialAt ?? now,
      suppression: history.suppression,
      attempts: history.attempts
        .filter((attempt) => attempt !== earlierDecision)
        .map((attempt) => attempt.at),
    },
    rules,
  );
  if (earlierDecision) removeDecision(tx, { ...ask, decidedAt: earlierDecision.at });
  insertDecision(tx, decisionRow(ask, decision));
  return decision;
}

/**
 * The suppression and the attempts of a number, on which a decision rests, for a transaction that reads them together
 * with other rows. With the moment `dialling` it first locks the number, see {@link lockNumbers}.
 */
export async function loadHistory(
  tx: Tx,
  ask: Pick<PolicyAsk, 'workspace' | 'phoneNumber' | 'moment' | 'now' | 'rules'>,
): Promise<NumberHistory> {
  const { workspace, phoneNumber, now, rules } = ask;
  if (ask.moment === 'dialling') await lockNumbers(tx, ask, async () => [phoneNumber]);
  return historyOf(tx, { workspace, phoneNumber, now, attemptsAtMost: attemptsThatCount(rules) });
}

/** Calls accepted in one transaction; instants are epoch milliseconds. */
export interface AcceptedCalls extends Pick<PolicyAsk, 'workspace' | 'now' | 'rules'> {
  dialAt: number;
  /** Up to a few hundred calls, each to another number. */
  calls: readonly { phoneNumber: string; callId: string }[];
}

/**
 * Stores the refusals of those accepted calls whose numbers are suppressed at `dialAt`. Other objections are found when
 * a call is about to be dialled.
 */
export async function storeSuppressedRefusals(
  tx: Tx,
  { calls, dialAt, ...shared }: AcceptedCalls,
): Promise<void> {
  const callIds = new Map(calls.map(({ phoneNumber, callId }) => [phoneNumber, callId]));
  const phoneNumbers = [...callIds.keys()];
  const { workspace, rules } = shared;
  const entries = await suppressionTransactions.check(tx, { workspace, phoneNumbers, now: dialAt });
  const rows = entries.map(({ phone_number: phoneNumber, reason, expires_at: until }) => {
    const callId = callIds.get(phoneNumber)!;
    const ask = { ...shared, phoneNumber, callId, subjectId: callId, moment: 'accepted' as const };
    const suppression = { reason, until };
    return decisionRow(ask, decide({ phoneNumber, now: dialAt, suppression, attempts: [] }, rules));
  });
  insertDecisions(tx, rows);
}

/** The attempts that the largest cap needs, and one more, which may be the attempt to decide about. */
function attemptsThatCount({ caps }: PolicyRules): number {
  return Math.max(0, ...caps.map(({ attempts }) => attempts)) + 1;
}

/**
 * Locks numbers until the transaction ends, so that processes decide about one number one after the other and caps hold
 * across all of them. A transaction that decides about several numbers must lock all of them first: the locks are taken
 * in sorted order, which prevents deadlocks.
 * @param numbers loads the numbers (E.164); not called where no lock is needed: with SQLite, whose transactions write
 *   one after the other, and where the policy is not enforced
 */
export async function lockNumbers(
  tx: Tx,
  { workspace, rules }: Pick<PolicyAsk, 'workspace' | 'rules'>,
  numbers: () => Promise<readonly string[]>,
): Promise<void> {
  if (tx.dialect.engine !== 'postgres' || rules.mode !== 'enforce') return;
  for (const phoneNumber of [...(await numbers())].sort()) await tx.lock(`${workspace} ${phoneNumber}`);
}

/** The row of a decision. */
function decisionRow(ask: PolicyAsk, decision: Decision): DecisionColumns {
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
