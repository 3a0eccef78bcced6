import { z } from 'zod';
import { receiverUrlField } from '#kernel/input/fields.js';

/*
 * A lookup is a request to a customer's server while an inbound call rings: its answer may choose the agent and set
 * variables (docs/webhooks.md, "Lookups"). Agents and phone numbers may have one. This file has their common columns
 * and fields; the request itself is made by the calls module.
 */

/** The columns of a lookup in the rows of agents and phone numbers. */
export const lookupColumns = {
  lookup_url: z.string().nullable(),
  /** Stored in plain text, because signing needs it; shown when it is created, and never again. */
  lookup_secret: z.string().nullable(),
};
/** The columns of a lookup in a row; both are null without a lookup. */
export interface LookupColumns {
  lookup_url: string | null;
  lookup_secret: string | null;
}

/** The URL of a lookup, and the secret that signs it. */
export interface Lookup {
  url: string;
  secret: string;
}

/** The port by which agents and phone numbers check lookup URLs and get secrets; the webhooks module serves it. */
export interface LookupGate {
  /** @throws Problem `invalid_webhook_url`, `blocked_address` */
  checkUrl(url: string): Promise<void>;
  /** A secret that signs lookups. */
  newSecret(): string;
}

/** The field `lookup_url` of a request. */
export const lookupUrlField = receiverUrlField.nullish().meta({
  description:
    'An HTTPS address that is asked about every incoming telephone call while it rings. See ' +
    '`call.incoming` among the webhooks: the response may choose another agent and set variables. ' +
    'After two seconds the call goes on without it. The address of a number takes precedence over ' +
    'that of its agent.',
  examples: ['https://example.com/who-calls'],
});

/** The fields of a lookup in a response. */
export const lookupResponseFields = {
  lookup_url: z
    .string()
    .nullable()
    .meta({ description: 'The address that is asked about incoming calls; null for none.' }),
  lookup_secret: z
    .string()
    .nullable()
    .meta({
      description:
        'The secret that lookups are signed with, as webhooks are. Shown once, when `lookup_url` is ' +
        'first set; null afterwards. Removing the address removes the secret; setting it again ' +
        'creates a new one.',
    }),
};

/**
 * The columns after a change of the URL: the first URL stores `newSecret`, another URL keeps the stored secret, and
 * removing the URL removes the secret.
 * @param url undefined if the request does not name it
 */
export function withLookupUrl(
  { lookup_url, lookup_secret }: LookupColumns,
  url: string | null | undefined,
  newSecret: string,
): LookupColumns {
  if (url === undefined) return { lookup_url, lookup_secret };
  return { lookup_url: url, lookup_secret: url === null ? null : (lookup_secret ?? newSecret) };
}

/** The lookup of a row; null without one. */
export function lookupOf({ lookup_url: url, lookup_secret: secret }: LookupColumns): Lookup | null {
  return url === null || secret === null ? null : { url, secret };
}
