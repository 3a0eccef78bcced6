import { z } from 'zod';
import { receiverUrlField } from '#kernel/input/fields.js';

/** Who is asked about calls that come in, as rows of agents and of phone numbers hold it. */
export const lookupColumns = {
  lookup_url: z.string().nullable(),
  /** Kept as it is, because it is needed to sign; it is shown when it is made, and never again. */
  lookup_secret: z.string().nullable(),
};
/** As it stands in a row: both are null where nobody is asked. */
export interface LookupColumns {
  lookup_url: string | null;
  lookup_secret: string | null;
}

/** Whom to ask about a call, and what to sign the question with. */
export interface Lookup {
  url: string;
  secret: string;
}

/** What an address to ask needs from outside of this module. */
export interface LookupGate {
  /** @throws Problem `invalid_webhook_url`, `blocked_address` */
  checkUrl(url: string): Promise<void>;
  newSecret(): string;
}

/** `lookup_url` in a request (our choice). */
export const lookupUrlField = receiverUrlField.nullish().meta({
  description:
    'An HTTPS address that is asked about every incoming telephone call while it rings. See ' +
    '`call.incoming` among the webhooks: the response may choose another agent and set variables. ' +
    'After two seconds the call goes on without it. The address of a number takes precedence over ' +
    'that of its agent.',
  examples: ['https://example.com/who-calls'],
});

/** `lookup_url` and its secret in an answer. */
export const lookupShown = {
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

/** The columns with another address: the first one comes with a secret, and the secret goes with the last. */
export function withLookupUrl(
  { lookup_url, lookup_secret }: LookupColumns,
  url: string | null | undefined,
  newSecret: string,
): LookupColumns {
  if (url === undefined) return { lookup_url, lookup_secret };
  return { lookup_url: url, lookup_secret: url === null ? null : (lookup_secret ?? newSecret) };
}

/** Whom these columns name. */
export function lookupIn({ lookup_url: url, lookup_secret: secret }: LookupColumns): Lookup | null {
  return url === null || secret === null ? null : { url, secret };
}
