import { findAgentSummary } from '#agents/definitions/agent-rows.js';
import type { AgreedCallBack } from '#calls/endings/call-backs.js';
import type { CallRow } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { noteOnCall } from '#calls/record/life-cycle-log.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { toInstant } from '#kernel/time/clock.js';
import { readInstant } from '#kernel/time/instants.js';
import { toLocalInstant } from '#kernel/time/local-time.js';
import { localMsAt } from '#kernel/time/time-zone.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { newSchedule } from '#schedules/record/new-schedule.js';
import { NO_RETRIES } from '#schedules/record/retry.js';
import { addExecution, insertSchedule } from '#schedules/record/schedule-rows.js';
import { DEFAULT_GRACE_SECONDS } from '#schedules/record/schedule-request.js';
import { KeptCallOptions, WEBHOOK_EVENTS, type ScheduleRow } from '#schedules/record/schedule.js';

/** The arguments of `finish`: a call that is ending with an agreed call-back. */
interface EndingWithCallBack {
  callId: string;
  details: FinishDetails;
  agreed: AgreedCallBack;
  /** The id for the schedule of the call-back. */
  scheduleId: string;
  timeZoneVersion: string;
}

/** The transaction of `createCallBacks`: a call ends in which the callee and the agent agreed on another call. */
export const callBackTransactions = defineTransactions('call_backs', {
  /**
   * Ends a call and plans its call-back. A call that is over already is returned unchanged, so no call-back is planned
   * twice. A call with a corrupt row only ends: its number or agent may be wrong. Null if there is no such call.
   */
  async finish(tx, args: EndingWithCallBack): Promise<CallRow | null> {
    const locked = await lockRepaired(tx, args.callId);
    if (!locked || callMachine.isFinal(locked.value.status)) return locked && locked.value;
    const call = repairCall(tx, locked);
    const schedule = locked.repair ? null : await planCallBack(tx, call, args);
    // The stored outcome must not promise a call-back that no schedule makes.
    if (!schedule) return finishCall(tx, call, withFollowUp(args.details, { at: null }));
    const { at } = args.details.context;
    const data = { schedule_id: schedule.id, scheduled_at: toInstant(args.agreed.at) };
    const noted = noteOnCall(tx, call, { type: 'call_back_planned', at, data });
    return finishCall(tx, noted, withFollowUp(args.details, { scheduleId: schedule.id }));
  },
});

/**
 * Plans the call-back as a one-time schedule; null if the number is hidden, the time has passed, or the agent was
 * deleted.
 */
async function planCallBack(
  tx: Tx,
  call: CallRow,
  { agreed, scheduleId, timeZoneVersion, details }: EndingWithCallBack,
): Promise<ScheduleRow | null> {
  const { at } = details.context;
  const [calleeNumber, ownNumber] =
    call.direction === 'outbound' ? [call.to_phone, call.from_phone] : [call.from_phone, call.to_phone];
  if (calleeNumber === '' || agreed.at <= at) return null;
  if ((await findAgentSummary(tx, call.workspace, call.agent_id)) === null) return null;
  const localTime = writtenTime(agreed);
  const request = {
    agent_id: call.agent_id,
    phone_number: calleeNumber,
    from_phone: ownNumber === '' ? undefined : ownNumber,
    scheduled_time: localTime,
    timezone: agreed.timeZone,
    name: call.name ?? undefined,
    description: `Agreed on in ${call.id}.`,
    customer_context: { ...call.customer_data, ...call.customer_context },
    metadata: call.metadata,
    retry_policy: NO_RETRIES,
    // No call window: the callee chose this hour.
    call_window: undefined,
    webhook_url: undefined,
    webhook_events: [...WEBHOOK_EVENTS],
    grace_seconds: DEFAULT_GRACE_SECONDS,
  };
  const plan = {
    kind: 'one_time' as const,
    timezone: agreed.timeZone,
    scheduled_time: localTime,
    scheduled_at: agreed.at,
    dst_adjusted: null,
    cron_expression: null,
    max_occurrences: null,
    next_run_at: agreed.at,
  };
  const { workspace } = call;
  const schedule = newSchedule(request, plan, {
    id: scheduleId,
    workspace,
    webhookId: null,
    timeZoneVersion,
    callOptions: KeptCallOptions.parse(call),
    at,
  });
  await insertSchedule(tx, schedule);
  await addExecution(
    tx,
    schedule,
    { run: 1, attempt: 1, origin: 'schedule', reason: null, planned_at: agreed.at },
    at,
  );
  return schedule;
}

/**
 * The agreed time as the callee's clock shows it. In the repeated hour of autumn the clock time alone may mean the
 * other instant: then it carries its offset.
 */
function writtenTime({ at, timeZone }: AgreedCallBack): string {
  const local = toInstant(localMsAt(timeZone, at)).slice(0, 19).replace('T', ' ');
  return readInstant(local, timeZone) === at ? local : toLocalInstant(at, timeZone);
}

/** The details of the end, with the planned schedule (or no time) in the follow-up of the talk's outcome. */
function withFollowUp(details: FinishDetails, fields: { at: null } | { scheduleId: string }): FinishDetails {
  const { talk } = details;
  const followUp = talk?.outcome.followUp;
  if (!talk || followUp?.kind !== 'call_back') return details;
  return {
    ...details,
    talk: { ...talk, outcome: { ...talk.outcome, followUp: { ...followUp, ...fields } } },
  };
}
