import type { OneTimeRequest, RecurringRequest } from './schedule-request.js';
import type { KeptCallOptions, ScheduleRow } from './schedule.js';

/** The columns that say when a schedule runs. */
export type Plan = Pick<
  ScheduleRow,
  | 'kind'
  | 'timezone'
  | 'scheduled_time'
  | 'scheduled_at'
  | 'dst_adjusted'
  | 'cron_expression'
  | 'max_occurrences'
  | 'next_run_at'
>;

/**
 * The row of a new schedule, from its request, its plan and generated values. Used for the requests of clients, and for
 * call-backs that callers have agreed on. The calling code stores the row.
 */
export function newSchedule(
  request: Omit<OneTimeRequest | RecurringRequest, 'customer_data' | 'variables'>,
  plan: Plan,
  generated: {
    id: string;
    workspace: string;
    webhookId: string | null;
    timeZoneVersion: string;
    callOptions?: KeptCallOptions;
    at: number;
  },
): ScheduleRow {
  return {
    id: generated.id,
    workspace: generated.workspace,
    status: 'scheduled',
    // Null: shown as it is, since no client has chosen a word for the status.
    shown_status: null,
    agent_id: request.agent_id,
    phone_number: request.phone_number,
    from_phone: request.from_phone ?? null,
    name: request.name ?? null,
    description: request.description ?? null,
    customer_context: request.customer_context,
    metadata: request.metadata,
    ...plan,
    time_zone_version: generated.timeZoneVersion,
    occurrences: 0,
    grace_seconds: request.grace_seconds,
    retry_policy: request.retry_policy,
    call_window: request.call_window ?? null,
    call_options: generated.callOptions ?? null,
    webhook_id: generated.webhookId,
    webhook_url: request.webhook_url ?? null,
    webhook_events: request.webhook_events,
    // Occurrences up to the creation are not run.
    planned_after: generated.at,
    // The planned run counts, too.
    runs: 1,
    last_run_at: null,
    last_status: null,
    last_call_id: null,
    paused_at: null,
    cancelled_at: null,
    handle_deleted_at: null,
    created_at: generated.at,
    updated_at: generated.at,
  };
}
