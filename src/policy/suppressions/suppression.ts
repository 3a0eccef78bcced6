import { z } from 'zod';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';

// An entry of the suppression list, which has the numbers that no call of a workspace dials: its row, and its form in
// the API.

/** Why a number must not be called. */
export const SUPPRESSION_REASONS = [
  'opt_out',
  'do_not_call_registry',
  'complaint',
  'wrong_number',
  'deceased',
  'other',
] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** The origin of an entry: a request, an import, or a wish of the callee in a call. */
export const SUPPRESSION_SOURCES = ['api', 'import', 'call'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/** A row of `suppressions`; instants are epoch milliseconds. */
export const SuppressionRow = z.object({
  id: z.string(),
  workspace: z.string(),
  /** E.164. */
  phone_number: z.string(),
  reason: z.enum(SUPPRESSION_REASONS),
  source: z.enum(SUPPRESSION_SOURCES),
  note: z.string().nullable(),
  /** The call in which the callee asked not to be called again. */
  call_id: z.string().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
  /** Null for an entry that does not expire. */
  expires_at: z.int().nullable(),
});
export type SuppressionRow = z.infer<typeof SuppressionRow>;

/** An entry in the API. */
export const suppressionResource = z
  .object({
    id: z.string().meta({ description: 'The id of the entry.' }),
    suppression_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('suppression'),
    phone_number: z.string().meta({ description: 'The number that is not called, E.164.' }),
    reason: z.enum(SUPPRESSION_REASONS).meta({ description: 'Why it is not called.' }),
    source: z.enum(SUPPRESSION_SOURCES).meta({ description: 'Where the entry came from.' }),
    note: z.string().nullable().meta({ description: 'What you noted about it.' }),
    call_id: z.string().nullable().meta({ description: 'The call in which they asked for it.' }),
    expires_at: instantOut.nullable().meta({ description: 'When it expires; null if never.' }),
    created_at: instantOut,
    updated_at: instantOut,
  })
  .meta({
    id: 'Suppression',
    description: 'A number that no call of the workspace dials, in any COMPLIANCE_MODE.',
    examples: [
      {
        id: 'sup_01kakb8x6te1tr7m3qf0c9w2ah',
        suppression_id: 'sup_01kakb8x6te1tr7m3qf0c9w2ah',
        object: 'suppression',
        phone_number: '+14155550123',
        reason: 'opt_out',
        source: 'call',
        note: null,
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        expires_at: null,
        created_at: '2026-11-21T00:00:00.000Z',
        updated_at: '2026-11-21T00:00:00.000Z',
      },
    ],
  });
export type SuppressionResource = z.infer<typeof suppressionResource>;

/** An entry as responses show it. */
export function toSuppressionResource(row: SuppressionRow): SuppressionResource {
  return {
    id: row.id,
    suppression_id: row.id,
    object: 'suppression',
    phone_number: row.phone_number,
    reason: row.reason,
    source: row.source,
    note: row.note,
    call_id: row.call_id,
    expires_at: toInstantOrNull(row.expires_at),
    created_at: toInstant(row.created_at),
    updated_at: toInstant(row.updated_at),
  };
}
