import { z } from 'zod';
import { FreeForm } from '#kernel/input/free-form.js';

/*
 * The schema and the examples of the notifications that a schedule sends to its own `webhook_url`, for the event
 * catalogue.
 */

/** A completed run, on which all examples are based. */
const EXAMPLE = {
  id: 'exec_01kakb8x6te1tr7m3qf0c9w2aj',
  execution_id: 'exec_01kakb8x6te1tr7m3qf0c9w2aj',
  schedule_id: 'sched_01kakb8x6te1tr7m3qf0c9w2ah',
  name: 'Follow-up',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  phone_number: '+14155550123',
  scheduled_time: '2026-11-20T09:00:00.000Z',
  actual_time: '2026-11-20T09:00:00.412Z',
  call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ak',
  status: 'completed',
  duration: 120,
  error: null,
  attempt: 1,
  trigger: 'schedule',
  reason: null,
  late_ms: 412,
  metadata: { campaign: 'q4' },
  customer_context: { name: 'Ada' },
};

/** `data` of a schedule's notifications: one run with its schedule (openapi.json: `ScheduleNotificationData`). */
export const scheduleNotificationData = z
  .object({
    id: z.string().meta({ description: 'The id of the run.' }),
    execution_id: z.string().meta({ description: 'The same as `id`.' }),
    schedule_id: z.string().meta({ description: 'The schedule it is a run of.' }),
    name: z.string().nullable().meta({ description: 'The name of the schedule.' }),
    agent_id: z.string().meta({ description: 'The agent that talks.' }),
    phone_number: z.string().meta({ description: 'Who is called, E.164.' }),
    scheduled_time: z.string().meta({ description: 'When it was planned.' }),
    actual_time: z.string().nullable().meta({ description: 'When it began; null when it never did.' }),
    call_id: z.string().nullable().meta({ description: 'Its call; null when there was none.' }),
    status: z.string().meta({ description: 'The state of the run.' }),
    duration: z.int().optional().meta({ description: 'Seconds of the call; absent before its end.' }),
    error: z.string().nullable().meta({ description: 'What went wrong; null when nothing did.' }),
    attempt: z.int().meta({ description: 'The number of the attempt within its run, from 1.' }),
    trigger: z
      .enum(['schedule', 'manual', 'retry'])
      .meta({ description: 'What started it: its time, a request, or a retry.' }),
    reason: z.string().nullable().meta({ description: 'For a retry: how the previous attempt ended.' }),
    late_ms: z.int().nullable().meta({ description: 'How many milliseconds late it started.' }),
    metadata: FreeForm.meta({ description: 'The `metadata` of the schedule.' }),
    customer_context: FreeForm.meta({ description: 'Data about the customer, given to the agent.' }),
  })
  .meta({
    id: 'ScheduleNotificationData',
    description: 'A run of a schedule.',
    examples: [EXAMPLE],
  });

/** An example of `data` for each notification. */
export const scheduleNotificationExamples = {
  'scheduled_call.started': withoutDuration({ ...EXAMPLE, status: 'in_progress' }),
  'scheduled_call.completed': EXAMPLE,
  'scheduled_call.failed': withoutDuration({ ...EXAMPLE, status: 'failed', error: 'no_answer' }),
};

/** A run that has no duration: it has not ended, or never had a call. */
function withoutDuration(run: Record<string, unknown>): Record<string, unknown> {
  const { duration: _duration, ...rest } = run;
  return rest;
}
