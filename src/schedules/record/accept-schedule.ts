import { MAX_DEFERRAL_MS } from '#calls/queue/dial-queue.js';
import { askPolicy } from '#policy/decisions/ask-policy.js';
import { withOwnWindow, type PolicyRules } from '#policy/deciding/policy-rules.js';
import { requireOpening } from '#policy/deciding/require-opening.js';
import type { Tx } from '#store/transaction.js';
import type { ScheduleRow } from './schedule.js';

// Asks the policy (suppression list, calling hours, attempt limits) about a call of a schedule when the schedule is
// created, changed or triggered, and stores its decisions. The policy is asked once more when the call is due.

/** The current instant and the rules of the policy. */
export interface AcceptContext {
  at: number;
  rules: PolicyRules;
}

/**
 * Asks the policy about the next call of a schedule and stores the decision. A refusal does not change the schedule:
 * every call is checked again when it is due.
 */
export async function askAboutNext(
  tx: Tx,
  schedule: ScheduleRow,
  { at, rules }: AcceptContext,
): Promise<void> {
  if (schedule.next_run_at === null) return;
  await ask(tx, schedule, { subjectId: schedule.id, callId: null, dialAt: schedule.next_run_at, at, rules });
}

/**
 * Like {@link askAboutNext}, for a client's request: refuses a call window in which the next call can never be made. A
 * one-time call can be deferred by `MAX_DEFERRAL_MS` at most. A recurring schedule may have a later occurrence in the
 * window, and so may a schedule that is over, once it has a new time.
 * @throws Problem `validation_error`
 */
export async function acceptNext(tx: Tx, schedule: ScheduleRow, context: AcceptContext): Promise<void> {
  const { call_window: window, phone_number: number, kind, next_run_at: nextRunAt } = schedule;
  const at = Math.max(context.at, nextRunAt ?? 0);
  const isFixedTime = kind === 'one_time' && nextRunAt !== null;
  const latestAt = isFixedTime ? at + MAX_DEFERRAL_MS : Number.POSITIVE_INFINITY;
  requireOpening(window, number, { at, latestAt, rules: context.rules });
  await askAboutNext(tx, schedule, context);
}

/** Calls {@link acceptNext} if a change affects the decision. */
export async function askAboutChange(
  tx: Tx,
  before: ScheduleRow,
  after: ScheduleRow,
  context: AcceptContext,
): Promise<void> {
  /** The fields on which the decision rests. */
  const factsOf = ({ phone_number, call_window, next_run_at }: ScheduleRow) =>
    JSON.stringify([phone_number, call_window, next_run_at]);
  if (factsOf(before) !== factsOf(after)) await acceptNext(tx, after, context);
}

/** Asks the policy about the call of a manual run. */
export async function askAboutManualRun(
  tx: Tx,
  schedule: ScheduleRow,
  { callId, at, rules }: AcceptContext & { callId: string },
): Promise<void> {
  await ask(tx, schedule, { subjectId: callId, callId, dialAt: at, at, rules });
}

/** Asks the policy about a call, and stores the decision. */
async function ask(
  tx: Tx,
  { workspace, phone_number: phoneNumber, call_window: window }: ScheduleRow,
  asked: AcceptContext & { subjectId: string; callId: string | null; dialAt: number },
): Promise<void> {
  const { subjectId, callId, at, rules } = asked;
  await askPolicy(tx, {
    workspace,
    phoneNumber,
    subjectId,
    callId,
    moment: 'accepted',
    now: at,
    dialAt: Math.max(at, asked.dialAt),
    rules: withOwnWindow(rules, window),
  });
}
