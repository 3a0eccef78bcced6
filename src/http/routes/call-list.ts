import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import type { CallFilter } from '#calls/call-filter.js';
import { callResource, WIRE_STATUSES } from '#calls/resources/call-resource.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { flagQuery, wholeNumberQuery } from '#kernel/input/fields.js';
import { anyNumber, anyOf, createdWithin, listOf, listQuery } from '#http/answers/lists.js';

/**
 * The query of the list of calls: its filters and page.
 * @param region the country of numbers in national format, such as `DE`
 */
export function callListQuery(region?: CountryCode) {
  return listQuery.extend({
    status: anyOf(z.enum(WIRE_STATUSES)).optional().meta({ description: 'Only calls in these states.' }),
    direction: anyOf(z.enum(['outbound', 'inbound']))
      .optional()
      .meta({ description: 'Only outbound, or only inbound calls.' }),
    agent_id: anyOf(z.string().max(100)).optional().meta({ description: 'Only calls of these agents.' }),
    batch_id: anyOf(z.string().max(100)).optional().meta({ description: 'Only calls of these batches.' }),
    schedule_id: anyOf(z.string().max(100))
      .optional()
      .meta({ description: 'Only calls of these schedules.' }),
    parent_call_id: anyOf(z.string().max(100))
      .optional()
      .meta({ description: 'Only calls that were made for these calls, to transfer their callers.' }),
    to_phone: anyNumber(region).optional().meta({ description: 'Only calls to these numbers.' }),
    from_phone: anyNumber(region).optional().meta({ description: 'Only calls from these numbers.' }),
    phone: anyNumber(region).optional().meta({ description: 'Only calls to or from these numbers.' }),
    ended_reason: anyOf(z.enum(ENDED_REASON_NAMES))
      .optional()
      .meta({ description: 'Only calls that ended for these reasons.' }),
    min_duration: wholeNumberQuery(z.int().min(0))
      .optional()
      .meta({ type: 'integer', description: 'Only calls of at least this many seconds.', examples: [30] }),
    live: flagQuery
      .optional()
      .meta({ description: '`true`: only calls that have not ended; `false`: only calls that have.' }),
    attention: flagQuery.optional().meta({
      description:
        '`true`: only calls that failed, ended in silence or with an opt-out, missed their purpose, or had a reply of over three seconds.',
    }),
    q: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Text in the id, a number, the name or the metadata.' }),
    expand: anyOf(z.enum(['transcript']))
      .optional()
      .meta({ description: '`transcript` returns whole transcripts instead of their first 200 characters.' }),
  });
}

/** One page of calls. */
export const callList = listOf(callResource, 'CallList');

/** Converts the validated query to the filter of the store. */
export function toCallFilter(
  principal: Principal,
  query: z.infer<ReturnType<typeof callListQuery>>,
): CallFilter {
  return {
    workspace: principal.workspace,
    status: query.status,
    direction: query.direction,
    agentId: query.agent_id,
    batchId: query.batch_id,
    scheduleId: query.schedule_id,
    parentCallId: query.parent_call_id,
    toPhone: query.to_phone,
    fromPhone: query.from_phone,
    phone: query.phone,
    endedReason: query.ended_reason,
    ...createdWithin(query),
    minDurationSeconds: query.min_duration,
    live: query.live,
    attention: query.attention,
    search: query.q,
  };
}
