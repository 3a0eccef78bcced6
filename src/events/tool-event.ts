import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';

/* The schema and an example of `call.tool_called` (a language model has used a tool), for the event catalogue. */

/** An example of `data`; test deliveries send it. */
export const toolCalledExample = {
  call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  direction: 'outbound',
  custom_metadata: { crm_id: '42' },
  tool_call_id: 'call_h3bQ0',
  name: 'find_slot',
  arguments: '{"day":"2026-11-24"}',
  status: 'ok',
  result: '{"slots":["09:00"]}',
  started_at: '2026-11-21T00:00:21.120Z',
  latency_ms: 412,
};

/** `data` of `call.tool_called`. */
export const toolCalledData = z
  .object({
    call_id: z.string().meta({ description: 'The call in which it was called.' }),
    agent_id: z.string().meta({ description: 'The agent that talks.' }),
    direction: z.enum(['outbound', 'inbound']),
    custom_metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The `metadata` that was given with the call.' }),
    tool_call_id: z.string().meta({ description: 'The id that the model gave the call of the tool.' }),
    name: z.string().meta({ description: 'The name of the tool.' }),
    arguments: z.string().nullable().meta({
      description:
        'JSON text as the model wrote it, at most 2,000 characters; null in a call without transcript.',
    }),
    status: z
      .enum(['ok', 'failed', 'timed_out', 'refused'])
      .meta({ description: 'How it ended; `refused`: it was never run.' }),
    result: z.string().nullable().meta({
      description:
        'What the model was told, at most 2,000 characters, secrets masked; null in a call without transcript.',
    }),
    started_at: instantOut.meta({ description: 'When it was called.' }),
    latency_ms: z.int().meta({ description: 'How long it took.' }),
  })
  .meta({
    id: 'ToolCalledEventData',
    description: 'A call of a tool that is over.',
    examples: [toolCalledExample],
  });
