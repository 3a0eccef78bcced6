import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';

/* The schema and the examples of the events of a batch, for the event catalogue. */

const EXAMPLE = {
  id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  batch_name: 'December reminders',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_name: 'Receptionist',
  status: 'completed',
  total_numbers: 5,
  successfully_called: 3,
  failed_calls: 1,
  avg_duration_seconds: 42,
  start_time: '2026-12-01T15:00:00.000Z',
  end_time: '2026-12-01T15:12:31.000Z',
  success_rate: 0.6,
  cost_usd: 0,
  cost_is_complete: true,
  custom_metadata: {},
  batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
};

/** `data` of the events of a batch (openapi.json: `BatchEventData`). */
export const batchEventData = z
  .object({
    id: z.string().meta({ description: 'The id of the batch.' }),
    batch_name: z.string().meta({ description: 'What the batch is called.' }),
    agent_id: z.string().meta({ description: 'The agent that talks.' }),
    agent_name: z.string().meta({ description: 'The name of the agent.' }),
    status: z.string().meta({ description: 'The state of the batch.' }),
    total_numbers: z.int().meta({ description: 'How many numbers the batch has.' }),
    successfully_called: z.int().meta({ description: 'How many calls were completed.' }),
    failed_calls: z.int().meta({ description: 'How many calls failed.' }),
    avg_duration_seconds: z
      .int()
      .meta({ description: 'Average duration of the completed calls, in seconds.' }),
    start_time: instantOut.nullable().meta({ description: 'When it began.' }),
    end_time: instantOut.nullable().meta({ description: 'When it ended; null until then.' }),
    success_rate: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Completed calls divided by all numbers, 0 to 1.' }),
    cost_usd: z.number().meta({ description: 'What the calls cost, as far as it is known.' }),
    cost_is_complete: z.boolean().meta({ description: 'Whether `cost_usd` is all that they cost.' }),
    custom_metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The `metadata` that was given with the batch.' }),
    batch_id: z.string().meta({ description: 'The same as `id`.' }),
  })
  .meta({ id: 'BatchEventData', description: 'A batch and its progress.', examples: [EXAMPLE] });

/** A batch before its first call. */
const NO_PROGRESS = {
  successfully_called: 0,
  failed_calls: 0,
  avg_duration_seconds: 0,
  success_rate: 0,
  end_time: null,
};

/** An example of `data` for each event type of a batch; test deliveries send it. */
export const batchEventExamples = {
  'batch.initiated': { ...EXAMPLE, ...NO_PROGRESS, status: 'initiated' },
  'batch.in_progress': { ...EXAMPLE, ...NO_PROGRESS, status: 'in_progress' },
  'batch.completed': EXAMPLE,
  'batch.failed': {
    ...EXAMPLE,
    ...NO_PROGRESS,
    status: 'failed',
    failed_calls: 5,
    end_time: EXAMPLE.end_time,
  },
};
