import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import { wireStatus, WIRE_STATUSES } from './call-resource.js';
import type { CallRow } from '#calls/record/call.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';

/** The response of `POST /api/calls/{call_id}/disconnect`, for its route. */
export const callDisconnected = z
  .object({
    success: z.literal(true),
    message: z.enum(['call is being disconnected', 'call has ended', 'call has already ended']),
    call_id: z.string(),
    id: z.string(),
    object: z.literal('call'),
    status: z.enum(WIRE_STATUSES),
    already_ended: z.boolean(),
    ended_reason: z.enum(ENDED_REASON_NAMES).nullable(),
    ended_at: instantOut.nullable(),
  })
  .meta({
    id: 'CallDisconnected',
    description: 'The result of ending a call.',
    examples: [
      {
        success: true,
        message: 'call has ended',
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        object: 'call',
        status: 'completed',
        already_ended: false,
        ended_reason: 'api_disconnect',
        ended_at: '2026-11-21T00:00:46.480Z',
      },
    ],
  });

/**
 * Builds the response from the result of `Calls.disconnect`. `alreadyEnded`: the call was over before the request. A
 * call with live audio may still be ending: it has no `ended_at` yet.
 */
export function toCallDisconnected(outcome: {
  call: CallRow;
  alreadyEnded: boolean;
}): z.infer<typeof callDisconnected> {
  const { call, alreadyEnded } = outcome;
  return {
    success: true,
    message: alreadyEnded
      ? 'call has already ended'
      : call.ended_at === null
        ? 'call is being disconnected'
        : 'call has ended',
    call_id: call.id,
    id: call.id,
    object: 'call',
    status: wireStatus(call),
    already_ended: alreadyEnded,
    ended_reason: call.ended_reason,
    ended_at: toInstantOrNull(call.ended_at),
  };
}
