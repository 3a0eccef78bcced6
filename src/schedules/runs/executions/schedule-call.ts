import { CALL_LIMITS } from '#calls/requests/call-request.js';
import type { CallPlan } from '#calls/requests/draft-call.js';
import type { ExecutionRow, KeptCallOptions, ScheduleRow } from '#schedules/record/schedule.js';

/** The options of a scheduled call that does not inherit the options of an earlier call. */
const DEFAULT_OPTIONS: Omit<KeptCallOptions, 'transcription_provider'> = {
  record_call: true,
  enable_transcription: true,
  timeout_seconds: CALL_LIMITS.timeoutSeconds.usual,
  silence_timeout_seconds: CALL_LIMITS.silenceTimeoutSeconds.usual,
};

/** The plan of the call that an execution makes, due at `at` (epoch milliseconds). Used by `startExecution`. */
export function planCall(schedule: ScheduleRow, execution: ExecutionRow, at: number): CallPlan {
  return {
    workspace: schedule.workspace,
    to: schedule.phone_number,
    from: schedule.from_phone,
    name: schedule.name,
    options: {
      customer_data: {},
      customer_context: schedule.customer_context,
      metadata: schedule.metadata,
      ...(schedule.call_options ?? { ...DEFAULT_OPTIONS, transcription_provider: undefined }),
      record_storage: schedule.call_options?.record_storage,
      scheduled_time: schedule.scheduled_time ?? undefined,
      call_window: schedule.call_window ?? undefined,
    },
    dueAt: at,
    // With an instant here the call begins as `queued`, and is announced when it is dialled.
    scheduledAt: execution.planned_at,
    scheduleId: schedule.id,
    executionId: execution.id,
  };
}
