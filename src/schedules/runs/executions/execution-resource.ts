import { z } from 'zod';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { RETRY_REASONS } from '#schedules/record/retry.js';
import type { ExecutionRow } from '#schedules/record/schedule.js';
import { EXECUTION_STATUSES } from '#schedules/record/schedule-machine.js';

// The executions of a schedule (an execution is one attempt of one run) as the API and the notifications show them.

/** One execution of a schedule (`Execution` in openapi.json). */
const executionResource = z.object({
  execution_id: z.string(),
  scheduled_time: instantOut,
  actual_time: instantOut.nullable().meta({ description: 'When it began; null when it did not.' }),
  call_id: z.string().nullable(),
  status: z.enum(EXECUTION_STATUSES).exclude(['held']),
  duration: z
    .int()
    .optional()
    .meta({ description: 'Seconds of conversation; absent until the call is over.' }),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why it failed; null if it did not.', examples: ['no_answer'] }),
  id: z.string(),
  attempt: z.int().meta({ description: 'The number of the attempt within its run, from 1.' }),
  trigger: z
    .enum(['schedule', 'manual', 'retry'])
    .meta({ description: 'What started it: its time, a request, or a retry.' }),
  reason: z
    .enum(RETRY_REASONS)
    .nullable()
    .meta({ description: 'For a retry: how the previous attempt ended.' }),
  late_ms: z.int().nullable().meta({ description: 'How many milliseconds late it started.' }),
});
export type ExecutionResource = z.infer<typeof executionResource>;

const EXAMPLE_ATTEMPT = {
  execution_id: 'exec_01kakb8x6te1tr7m3qf0c9w2aj',
  scheduled_time: '2026-11-20T09:00:00.000Z',
  actual_time: '2026-11-20T09:00:00.412Z',
  call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ak',
  status: 'completed',
  duration: 120,
  error: null,
  attempt: 1,
  reason: null,
};

const executionAttempt = executionResource
  .pick({
    attempt: true,
    execution_id: true,
    scheduled_time: true,
    actual_time: true,
    call_id: true,
    status: true,
    duration: true,
    error: true,
    reason: true,
  })
  .meta({ id: 'ExecutionAttempt', description: 'An attempt of a run.' });

/** One entry of the history: an execution with all attempts of its run. */
export const historyEntry = executionResource
  .extend({
    attempts: z.array(executionAttempt).meta({
      description: 'All attempts of the same run, this one included, in order.',
    }),
  })
  .meta({
    id: 'Execution',
    description: 'One attempt to place the call of a schedule.',
    examples: [
      {
        ...EXAMPLE_ATTEMPT,
        id: EXAMPLE_ATTEMPT.execution_id,
        trigger: 'schedule',
        late_ms: 412,
        attempts: [EXAMPLE_ATTEMPT],
      },
    ],
  });
export type HistoryEntry = z.infer<typeof historyEntry>;

/** An execution, and all attempts of its run in order. */
export interface ExecutionOfRun {
  execution: ExecutionRow;
  attempts: readonly ExecutionRow[];
}

/** The response for one execution. `held` is shown as `pending`; `duration` is absent until its call is over. */
export function toExecutionResource(execution: ExecutionRow): ExecutionResource {
  return {
    execution_id: execution.id,
    scheduled_time: toInstant(execution.planned_at),
    actual_time: toInstantOrNull(execution.started_at),
    call_id: execution.call_id,
    status: execution.status === 'held' ? 'pending' : execution.status,
    ...(execution.duration === null ? {} : { duration: execution.duration }),
    error: execution.error,
    id: execution.id,
    attempt: execution.attempt,
    trigger: execution.attempt > 1 ? 'retry' : execution.origin,
    reason: execution.reason,
    late_ms: execution.late_ms,
  };
}

/** Builds one entry of the history. */
export function toHistoryEntry({ execution, attempts }: ExecutionOfRun): HistoryEntry {
  return { ...toExecutionResource(execution), attempts: attempts.map(toExecutionResource) };
}
