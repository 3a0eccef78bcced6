import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';

// The schemas of a lookup: while an inbound call rings, the service asks the customer's server which agent answers it.
// Used by `lookUp` and by the API document.

/** The `type` of a lookup about an inbound call. */
export const LOOKUP_QUESTION_TYPE = 'call.incoming';
/** The most variables in an answer. */
const MAX_VARIABLES = 64;
const MAX_VARIABLES_MESSAGE = `must not be more than ${MAX_VARIABLES}`;

/** The body of a lookup, sent to the `lookup_url` of the called number or its agent (docs/webhooks.md, "Lookups"). */
export const lookupQuestion = z
  .object({
    type: z.literal(LOOKUP_QUESTION_TYPE).meta({ description: 'The type of the event.' }),
    call_id: z.string().meta({ description: 'The id of the call; it is announced under the same one.' }),
    call_from: z.string().nullable().meta({ description: 'Who calls, E.164; null when it is hidden.' }),
    call_to: z.string().nullable().meta({ description: 'The number that was called, E.164.' }),
    provider: z.string().meta({ description: 'The carrier that the call came by.' }),
    timestamp: instantOut,
  })
  .meta({
    id: 'IncomingCallQuestion',
    description: 'An incoming call.',
    examples: [
      {
        type: LOOKUP_QUESTION_TYPE,
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        call_from: '+14155550123',
        call_to: '+14155550100',
        provider: 'twilio',
        timestamp: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
/** The fields that the calls module fills in; the sender adds `type` and `timestamp`. */
export type LookupFacts = Omit<z.output<typeof lookupQuestion>, 'type' | 'timestamp'>;

/** The answer to a lookup. Every field is optional: without `agent_id` the agent of the called number answers. */
export const lookupAnswer = z
  .object({
    agent_id: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .meta({ description: 'The agent that is to talk: an active one of the same workspace.' }),
    variables: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, MAX_VARIABLES_MESSAGE)
      .nullish()
      .meta({
        description: "Variables for the agent's texts; stored as `customer_data`. At most 64.",
        maxProperties: MAX_VARIABLES,
      }),
  })
  .meta({
    id: 'IncomingCallAnswer',
    description: 'Who is to talk, and what is known of the caller.',
    examples: [{ agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa', variables: { name: 'Ada' } }],
  });
