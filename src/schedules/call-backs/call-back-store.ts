import { findAgentSummary } from '#agents/definitions/agent-rows.js';
import type { AgreedCallBack } from '#calls/endings/call-backs.js';
import type { CallRow } from '#calls/record/call.js';
import { callMachine } from '#calls/record/call-machine.js';
import { noteOnCall } from '#calls/record/note-on-call.js';
import { lockCall } from '#calls/record/call-rows.js';
import { finishCall, type FinishDetails } from '#calls/endings/finish-call.js';
import { toInstant } from '#kernel/time/clock.js';
import { readInstant } from '#kernel/time/instants.js';
import { toLocalInstant } from '#kernel/time/local-time.js';
import { wallTime } from '#kernel/time/time-zone.js';
import { defineUnits, type Tx } from '#store/unit.js';
import { newSchedule } from '#schedules/record/new-schedule.js';
import { NO_RETRIES } from '#schedules/record/retry.js';
import { addExecution, insertSchedule } from '#schedules/record/schedule-rows.js';
import { USUAL_GRACE_SECONDS } from '#schedules/record/schedule-request.js';
import { KeptCallOptions, WEBHOOK_EVENTS, type ScheduleRow } from '#schedules/record/schedule.js';

/** A call that is ending, and the one that was agreed on in it. */
interface EndingWithCallBack {
  callId: string;
  details: FinishDetails;
  agreed: AgreedCallBack;
  scheduleId: string;
  timeZoneVersion: string;
}

export const callBackUnits = defineUnits('call_backs', {
  /** Ends a call and plans the one that was agreed on; the same call is never planned for twice. */
  async finish(tx, args: EndingWithCallBack): Promise<CallRow | null> {
    const call = await lockCall(tx, args.callId);
    if (!call || callMachine.isFinal(call.status)) return call;
    const schedule = await planCallBack(tx, call, args);
    // Nothing is agreed that cannot be done.
    if (!schedule) return finishCall(tx, call, withFollowUp(args.details, { at: null }));
    const { at } = args.details.moment;
    const data = { schedule_id: schedule.id, scheduled_at: toInstant(args.agreed.at) };
    const noted = await noteOnCall(tx, call, { type: 'call_back_planned', at, data });
    return finishCall(tx, noted, withFollowUp(args.details, { scheduleId: schedule.id }));
  },
});

/** The schedule of the other call; null where it cannot be: nobody to call, nobody to talk, or the time has passed. */
async function planCallBack(
  tx: Tx,
  call: CallRow,
  { agreed, scheduleId, timeZoneVersion, details }: EndingWithCallBack,
): Promise<ScheduleRow | null> {
  const { at } = details.moment;
  const [theirs, ours] =
    call.direction === 'outbound' ? [call.to_phone, call.from_phone] : [call.from_phone, call.to_phone];
  if (theirs === '' || agreed.at <= at) return null;
  if ((await findAgentSummary(tx, call.workspace, call.agent_id)) === null) return null;
  const written = writtenTime(agreed);
  const request = {
    agent_id: call.agent_id,
    phone_number: theirs,
    from_phone: ours === '' ? undefined : ours,
    scheduled_time: written,
    timezone: agreed.timeZone,
    name: call.name ?? undefined,
    description: `Agreed on in ${call.id}.`,
    customer_context: { ...call.customer_data, ...call.customer_context },
    metadata: call.metadata,
    retry_policy: NO_RETRIES,
    // Those are the hours in which somebody may be called unasked. Who names an hour is called then.
    call_window: undefined,
    webhook_url: undefined,
    webhook_events: [...WEBHOOK_EVENTS],
    grace_seconds: USUAL_GRACE_SECONDS,
  };
  const plan = {
    kind: 'one_time' as const,
    timezone: agreed.timeZone,
    scheduled_time: written,
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
 * The time that was agreed on as the clock of the callee shows it; with its offset where that alone means another
 * instant: in the hour that is repeated in autumn, the one that was chosen is the one that is kept.
 */
function writtenTime({ at, timeZone }: AgreedCallBack): string {
  const local = toInstant(wallTime(timeZone, at)).slice(0, 19).replace('T', ' ');
  return readInstant(local, timeZone) === at ? local : toLocalInstant(at, timeZone);
}

function withFollowUp(details: FinishDetails, fields: { at: null } | { scheduleId: string }): FinishDetails {
  const { talk } = details;
  const followUp = talk?.outcome.followUp;
  if (!talk || followUp?.kind !== 'call_back') return details;
  return {
    ...details,
    talk: { ...talk, outcome: { ...talk.outcome, followUp: { ...followUp, ...fields } } },
  };
}
