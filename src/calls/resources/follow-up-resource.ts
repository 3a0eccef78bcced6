import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { toInstantOrNull } from '#kernel/time/clock.js';
import type { StoredFollowUp } from '#calls/record/follow-up.js';

/** The field `follow_up` of a call in the API: what was agreed on for the time after it. */
export const followUpResource = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('suppress') }).meta({
      title: 'No more calls',
      description: 'The callee asked not to be called again; the number is on the suppression list.',
    }),
    z
      .object({
        kind: z.literal('transfer'),
        to: z
          .string()
          .meta({ description: 'The number they were connected with, E.164.', examples: ['+14155550100'] }),
      })
      .meta({ title: 'Handed over', description: 'The caller was transferred to another number.' }),
    z
      .object({
        kind: z.literal('call_back'),
        scheduled_at: instantOut.nullable().meta({
          description:
            'When the call will be made. Null where none will be: no time was named, or it has passed, or ' +
            'their number is hidden.',
        }),
        timezone: z
          .string()
          .meta({ description: 'The time zone of that time.', examples: ['America/New_York'] }),
        said: z.string().meta({
          description: "The time that was named, in the agent's words.",
          examples: ['tomorrow at 3 PM'],
        }),
        schedule_id: z
          .string()
          .nullable()
          .meta({
            description: 'The scheduled call that was made for it; null with `scheduled_at`.',
            examples: ['sched_01kakb8x6te1tr7m3qf0c9w2af'],
          }),
      })
      .meta({ title: 'Another call', description: 'The callee asked to be called at another time.' }),
  ])
  .meta({ id: 'CallFollowUp', description: 'What was agreed on for the time after the call.' });

/** Builds the field `follow_up` from the stored follow-up; null when nothing was agreed on. */
export function toFollowUpResource(
  followUp: StoredFollowUp | null | undefined,
): z.infer<typeof followUpResource> | null {
  // The other kinds (`suppress`, `transfer`) are stored as the API shows them.
  if (followUp?.kind !== 'call_back') return followUp ?? null;
  return {
    kind: 'call_back',
    scheduled_at: toInstantOrNull(followUp.at),
    timezone: followUp.timeZone,
    said: followUp.said,
    schedule_id: followUp.scheduleId ?? null,
  };
}
