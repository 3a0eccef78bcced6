import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { ENDED_REASON_NAMES, ENDED_REASONS } from '#calls/record/ended-reason.js';
import { warningsField, type RequestWarning } from '#kernel/input/request-warnings.js';
import type { CallRow } from '#calls/record/call.js';
import { wireStatus, WIRE_STATUSES } from './call-resource.js';

// The responses of the two endpoints that create a call: `POST /api/calls` and `POST /outbound-call`.

const endedReason = z
  .enum(ENDED_REASON_NAMES)
  .nullable()
  .meta({ description: 'Why it ended at once; null for a call that is made.' });
const EXAMPLE_ID = 'call_01kakb8x6te1tr7m3qf0c9w2af';
const AGENT_ID = 'agent_01kakb8x6te1tr7m3qf0c9w2aa';

/** The response of `POST /api/calls` (openapi.json, `CallCreated`). */
export const callCreated = z
  .object({
    call_id: z.string(),
    id: z.string(),
    object: z.literal('call'),
    status: z.enum(WIRE_STATUSES),
    agent_id: z.string(),
    to_phone: z.string(),
    from_phone: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    created_at: instantOut,
    estimated_start_time: instantOut,
    scheduled_time: z.string().nullable(),
    scheduled_at: instantOut.nullable(),
    ended_reason: endedReason,
    message: z.string().meta({ description: 'What was done, for people.' }),
    warnings: warningsField,
  })
  .meta({
    id: 'CallCreated',
    description: 'A call that was accepted.',
    examples: [
      {
        call_id: EXAMPLE_ID,
        id: EXAMPLE_ID,
        object: 'call',
        status: 'initiated',
        agent_id: AGENT_ID,
        to_phone: '+14155550123',
        from_phone: '+14155550100',
        direction: 'outbound',
        created_at: '2026-11-21T00:00:00.000Z',
        estimated_start_time: '2026-11-21T00:00:01.000Z',
        scheduled_time: null,
        scheduled_at: null,
        ended_reason: null,
        message: 'call initiated',
        warnings: [],
      },
    ],
  });

/** The response of `POST /outbound-call` (openapi.json, `OutboundCallCreated`). */
export const outboundCallCreated = z
  .object({
    success: z
      .boolean()
      .meta({ description: 'False for a call that ended at once: its number is not allowed.' }),
    message: z.string().meta({ description: '`call initiated`, `call scheduled`, or why it ended at once.' }),
    id: z.string(),
    call_id: z.string(),
    object: z.literal('call'),
    status: z.enum(WIRE_STATUSES),
    scheduled: z.boolean(),
    to_number: z.string(),
    from_number: z.string(),
    scheduled_time: z.string().nullable(),
    scheduled_at: instantOut.nullable(),
    agent_id: z.string(),
    direction: z.enum(['outbound', 'inbound']),
    created_at: instantOut,
    estimated_start_time: instantOut,
    ended_reason: endedReason,
    warnings: warningsField,
  })
  .meta({
    id: 'OutboundCallCreated',
    description: 'A call that was initiated, or scheduled.',
    examples: [
      {
        success: true,
        message: 'call initiated',
        id: EXAMPLE_ID,
        call_id: EXAMPLE_ID,
        object: 'call',
        status: 'initiated',
        scheduled: false,
        to_number: '+14155550123',
        from_number: '+14155550100',
        scheduled_time: null,
        scheduled_at: null,
        agent_id: AGENT_ID,
        direction: 'outbound',
        created_at: '2026-11-21T00:00:00.000Z',
        estimated_start_time: '2026-11-21T00:00:01.000Z',
        ended_reason: null,
        warnings: [],
      },
    ],
  });

/** The columns of a new call that its response contains, and the warnings. */
export interface CreatedCall extends Pick<
  CallRow,
  | 'id'
  | 'status'
  | 'agent_id'
  | 'to_phone'
  | 'from_phone'
  | 'direction'
  | 'created_at'
  | 'estimated_start_at'
  | 'scheduled_time'
  | 'scheduled_at'
  | 'ended_reason'
> {
  warnings: readonly RequestWarning[];
}

/**
 * Picks the columns of the response from a new call's row. A transaction returns them from the store's thread, and
 * whole rows are expensive to copy.
 */
export function toCreatedCall(call: CallRow, warnings: readonly RequestWarning[]): CreatedCall {
  return {
    id: call.id,
    status: call.status,
    agent_id: call.agent_id,
    to_phone: call.to_phone,
    from_phone: call.from_phone,
    direction: call.direction,
    created_at: call.created_at,
    estimated_start_at: call.estimated_start_at,
    scheduled_time: call.scheduled_time,
    scheduled_at: call.scheduled_at,
    ended_reason: call.ended_reason,
    warnings,
  };
}

/**
 * The functions that build the responses. They also run inside the transaction that creates the call: it stores the
 * response for a repeated request, and the default agent is known only there.
 */
export const CREATED_ANSWERS = { call: toCallCreated, outbound: toOutboundCallCreated } as const;
export type CreatedAnswerKind = keyof typeof CREATED_ANSWERS;

/** The response of `POST /api/calls`. */
export function toCallCreated(call: CreatedCall): z.infer<typeof callCreated> {
  return {
    call_id: call.id,
    id: call.id,
    object: 'call',
    status: wireStatus(call),
    agent_id: call.agent_id,
    to_phone: call.to_phone,
    from_phone: call.from_phone,
    direction: call.direction,
    created_at: toInstant(call.created_at),
    estimated_start_time: toInstant(call.estimated_start_at),
    scheduled_time: call.scheduled_time,
    scheduled_at: toInstantOrNull(call.scheduled_at),
    ended_reason: call.ended_reason,
    message: messageOf(call),
    warnings: [...call.warnings],
  };
}

/** The response of `POST /outbound-call`. */
export function toOutboundCallCreated(call: CreatedCall): z.infer<typeof outboundCallCreated> {
  const isScheduled = call.scheduled_at !== null;
  return {
    success: call.ended_reason === null,
    message: messageOf(call),
    id: call.id,
    call_id: call.id,
    object: 'call',
    status: wireStatus(call),
    scheduled: isScheduled,
    to_number: call.to_phone,
    from_number: call.from_phone,
    scheduled_time: call.scheduled_time,
    scheduled_at: toInstantOrNull(call.scheduled_at),
    agent_id: call.agent_id,
    direction: call.direction,
    created_at: toInstant(call.created_at),
    estimated_start_time: toInstant(call.estimated_start_at),
    ended_reason: call.ended_reason,
    warnings: [...call.warnings],
  };
}

/** The field `message`. */
function messageOf({ ended_reason: reason, scheduled_at: scheduledAt }: CreatedCall): string {
  if (reason !== null) return `not called: ${ENDED_REASONS[reason].error}`;
  return scheduledAt === null ? 'call initiated' : 'call scheduled';
}
