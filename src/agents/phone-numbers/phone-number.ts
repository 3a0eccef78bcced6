import { z } from 'zod';
import { toInstant } from '#kernel/time/clock.js';
import { lookupColumns, lookupResponseFields } from '#agents/definitions/lookup.js';
import { instantOut } from '#kernel/input/fields.js';

/* A phone number that agents answer: its row in the table `phone_numbers`, and the resource that the API shows. */

/** A row of `phone_numbers`; instants are epoch milliseconds. */
export const PhoneNumberRow = z.object({
  id: z.string(),
  workspace: z.string(),
  /** E.164; belongs to one workspace only. */
  phone_number: z.string(),
  agent_id: z.string().nullable(),
  backup_agent_id: z.string().nullable(),
  provider: z.string(),
  label: z.string().nullable(),
  ...lookupColumns,
  created_at: z.int(),
  updated_at: z.int(),
});
export type PhoneNumberRow = z.output<typeof PhoneNumberRow>;

/** A phone number as the API shows it (openapi.json, `PhoneNumber`). */
export const phoneNumberResource = z
  .object({
    id: z.string().meta({ description: 'The id of the number.' }),
    number_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('phone_number'),
    phone_number: z.string().meta({ description: 'The number, E.164.' }),
    agent_id: z.string().nullable().meta({ description: 'The agent that answers; null: the default agent.' }),
    backup_agent_id: z
      .string()
      .nullable()
      .meta({ description: 'Answers when that agent is inactive or gone.' }),
    provider: z.string().meta({ description: 'The carrier that serves the number.' }),
    label: z.string().nullable().meta({ description: 'A label of your own.' }),
    ...lookupResponseFields,
    created_at: instantOut.meta({ description: 'When it was added (UTC).' }),
    updated_at: instantOut.meta({ description: 'When it was last changed (UTC).' }),
  })
  .meta({
    id: 'PhoneNumber',
    description: 'A phone number of yours, and which agent answers it.',
    examples: [
      {
        id: 'num_01kakb8x6te1tr7m3qf0c9w2ah',
        number_id: 'num_01kakb8x6te1tr7m3qf0c9w2ah',
        object: 'phone_number',
        phone_number: '+14155550100',
        agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
        backup_agent_id: null,
        provider: 'sandbox',
        label: 'Front desk',
        lookup_url: null,
        lookup_secret: null,
        created_at: '2026-11-21T00:00:00.000Z',
        updated_at: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
export type PhoneNumberResource = z.output<typeof phoneNumberResource>;

/**
 * A phone number as the API shows it.
 * @param newSecret a secret created for this request: it is shown once, if it has become the lookup secret of the
 *   number; any other secret stays hidden
 */
export function toPhoneNumberResource(
  row: PhoneNumberRow,
  newSecret: string | null = null,
): PhoneNumberResource {
  const { workspace: _workspace, created_at, updated_at, ...shown } = row;
  return {
    ...shown,
    number_id: row.id,
    object: 'phone_number',
    lookup_secret: row.lookup_secret === newSecret ? newSecret : null,
    created_at: toInstant(created_at),
    updated_at: toInstant(updated_at),
  };
}
