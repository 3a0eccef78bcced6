import { z } from 'zod';
import { LONGEST_KEY_NAME, type ApiKeyRow } from '#access/keys/api-key.js';
import { SCOPES } from '#access/keys/principal.js';
import { toInstant, toInstantOrNull } from '#kernel/time/clock.js';
import { instantField, instantOut, optional, optionalWithDefault, textField } from '#kernel/input/fields.js';
import { listOf } from '#http/answers/lists.js';

/* The schemas of the API key routes (`api-keys.ts`), and the conversion of stored keys to them. */

const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);

/** The request to create an API key. */
export const apiKeyRequest = z
  .object({
    name: textField(LONGEST_KEY_NAME, 1).meta({
      description: 'What the key is for.',
      examples: ['Back office'],
    }),
    scopes: optionalWithDefault(scopes, ['read', 'write']).meta({
      description: '`read` allows reading, `write` also changes, `admin` also manages keys.',
      examples: [['read', 'write']],
    }),
    expires_at: optional(instantField).meta({
      description: 'Until when the key is valid; left out, until it is revoked.',
      examples: ['2027-12-31T23:59:59Z'],
    }),
  })
  .meta({
    id: 'ApiKeyRequest',
    description: 'A new API key.',
    examples: [{ name: 'Back office', scopes: ['read', 'write'] }],
  });

const id = z.string().meta({ description: 'The id of the key.' });
const keyFields = {
  id,
  key_id: id.meta({ description: 'The id of the key, under its longer name.' }),
  object: z.literal('api_key').meta({ description: 'The type of this object.' }),
  name: z.string().meta({ description: 'What the key is for.' }),
  scopes: z.array(z.enum(SCOPES)).meta({ description: 'What the key may do.' }),
  key_hint: z.string().meta({ description: 'The last characters of the key, to recognise it.' }),
  created_at: instantOut.meta({ description: 'When it was made.' }),
  expires_at: instantOut
    .nullable()
    .meta({ description: 'Until when it is valid; null until it is revoked.' }),
  last_used_at: instantOut.nullable().meta({ description: 'When it was last used, to the minute.' }),
};
/** The id of an API key in examples. */
export const exampleId = 'key_01kakb8x6te1tr7m3qf0c9w2zd';
const example = {
  id: exampleId,
  key_id: exampleId,
  object: 'api_key',
  name: 'Back office',
  scopes: ['read', 'write'],
  key_hint: 'cw_live_…x8Tw',
  created_at: '2026-11-21T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
};

/** An API key as reading and listing show it: its facts, without the secret text. */
export const apiKey = z
  .object({
    ...keyFields,
  })
  .meta({
    id: 'ApiKey',
    description: 'An API key, without the key itself.',
    examples: [example],
  });
/** An API key with its secret text, which only the answer to its creation shows. */
export const newApiKey = z
  .object({ ...keyFields, key: z.string().meta({ description: 'The key itself. It is never shown again.' }) })
  .meta({
    id: 'NewApiKey',
    description: 'An API key that was just made.',
    examples: [{ ...example, key: 'cw_live_5Qk1…' }],
  });
/** The answer to the deletion of an API key. */
export const deletedApiKey = z
  .object({ id, key_id: id, object: z.literal('api_key'), deleted: z.literal(true) })
  .meta({
    id: 'DeletedApiKey',
    description: 'A revoked API key.',
    examples: [{ id: exampleId, key_id: exampleId, object: 'api_key', deleted: true }],
  });
/** One page of API keys. */
export const apiKeyList = listOf(apiKey, 'ApiKeyList');

/** Converts the stored row of a key to its API resource. */
export function toApiKey(row: ApiKeyRow): z.infer<typeof apiKey> {
  return {
    id: row.id,
    key_id: row.id,
    object: 'api_key',
    name: row.name,
    scopes: row.scopes,
    key_hint: row.key_hint,
    created_at: toInstant(row.created_at),
    expires_at: toInstantOrNull(row.expires_at),
    last_used_at: toInstantOrNull(row.last_used_at),
  };
}
