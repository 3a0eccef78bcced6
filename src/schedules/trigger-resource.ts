import { z } from 'zod';
import { toInstant } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';

/** Response of `POST /api/scheduled-calls/{schedule_id}/trigger`. */
export const triggered = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call triggered'),
    schedule_id: z.string(),
    execution_id: z.string(),
    call_id: z.string(),
    status: z.literal('in_progress'),
    triggered_at: instantOut,
  })
  .meta({
    id: 'ScheduledCallTriggered',
    description: 'An extra run that has begun.',
    examples: [
      {
        success: true,
        message: 'scheduled call triggered',
        schedule_id: 'sched_01kakb8x6te1tr7m3qf0c9w2ah',
        execution_id: 'exec_01kakb8x6te1tr7m3qf0c9w2aj',
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2ak',
        status: 'in_progress',
        triggered_at: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
export type Triggered = z.infer<typeof triggered>;

export function toTriggered(schedule: ScheduleRow, execution: ExecutionRow): Triggered {
  return {
    success: true,
    message: 'scheduled call triggered',
    schedule_id: schedule.id,
    execution_id: execution.id,
    call_id: schedule.last_call_id!,
    status: 'in_progress',
    triggered_at: toInstant(execution.planned_at),
  };
}
