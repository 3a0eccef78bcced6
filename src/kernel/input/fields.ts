import { isSupportedCountry, type CountryCode } from 'libphonenumber-js/max';
import { z } from 'zod';
import { toInstant } from '#kernel/time/clock.js';
import { readInstant, readWrittenTime } from '#kernel/time/instants.js';
import { readPhoneNumber } from './phone-number.js';
import { isTimeZone } from '#kernel/time/time-zone.js';

// Schemas (zod) of request and response fields that several modules share, such as phone numbers, times and URLs.

const MAX_METADATA_CHARACTERS = 64 * 1024;

const PLAIN_DIGITS = /^-?\d+$/;

/** The message for a text that is not a phone number. */
export const NO_PHONE_NUMBER = 'is not an E.164 number such as +14155550123';
/** The message for a number in national format without a known country. */
const NO_PHONE_NUMBER_WITHOUT_REGION = `${NO_PHONE_NUMBER}; numbers without a country code need DEFAULT_REGION, or the region of an agent or batch`;
/** The message for a text that is not an instant. */
export const NO_INSTANT = 'is not a time such as 2026-12-01T15:00:00Z';

/**
 * A phone number in a request, parsed to E.164; any other text is an issue with the code `invalid_phone_number`.
 * @param region the country of numbers in national format, such as `DE`; without it, numbers begin with a calling code
 */
export function phoneNumberField(region?: CountryCode) {
  return z
    .string()
    .transform((text, context) => {
      const number = readPhoneNumber(text, region);
      if (number !== null) return number;
      context.addIssue({
        code: 'custom',
        // Without a known country, the likely mistake is a number in national format.
        message: region || /^\s*(?:\+|00)/.test(text) ? NO_PHONE_NUMBER : NO_PHONE_NUMBER_WITHOUT_REGION,
        params: { code: 'invalid_phone_number' },
      });
      return z.NEVER;
    })
    .meta({
      description:
        'A phone number, preferably E.164; spaces, dashes, `.`, parentheses and a leading `00` are accepted, extensions ' +
        'are not. Without `+` or `00` it is read as it is dialled in the `region` of the agent or `DEFAULT_REGION`, or, without them, taken ' +
        'to begin with the calling code.',
      examples: ['+14155550123'],
    });
}

/** The country (ISO 3166) of numbers in national format, in a request with a list of numbers. */
export const regionField = z
  .string()
  .trim()
  .toUpperCase()
  .refine((text): text is CountryCode => isSupportedCountry(text), {
    message: 'is not a country such as GB',
  })
  .meta({
    type: 'string',
    description:
      'Country of numbers without a country code (ISO 3166); that of the agent or `DEFAULT_REGION`, if omitted.',
    examples: ['GB'],
  });

/** An instant in a request, read as epoch milliseconds; without an offset it means UTC. */
export const instantField = z
  .string()
  .transform((text, context) => {
    const epochMs = readInstant(text);
    if (epochMs !== null) return epochMs;
    context.addIssue({
      code: 'custom',
      message: NO_INSTANT,
      params: { code: 'invalid_time' },
    });
    return z.NEVER;
  })
  .meta({ description: 'An instant (ISO 8601).', examples: ['2026-12-01T15:00:00Z'] });

/** An instant in a response: RFC 3339 in UTC with milliseconds, as {@link toInstant} formats it. */
export const instantOut = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'An instant, RFC 3339 in UTC.', examples: [toInstant(1_796_137_200_000)] });

/** A time in a request, checked and kept as text: its instant may depend on a time zone. @param example a valid time */
export function writtenTimeField(example: string) {
  return textField(64).refine((text) => readWrittenTime(text) !== null, {
    message: `is not a time such as ${example}`,
    params: { code: 'invalid_time' },
  });
}

/** The time zone for times in a request that have no offset. */
export const timezoneField = z
  .string()
  .refine(isTimeZone, {
    message: 'is not an IANA time zone such as America/New_York',
    params: { code: 'invalid_timezone' },
  })
  .meta({ description: 'IANA zone of times without an offset.', examples: ['America/New_York'] });

/** A field that may be absent or null; both parse to undefined. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullish()
    .transform((value): z.output<Schema> | undefined => value ?? undefined)
    .meta(documentedMeta(schema));
}

/** A field that may be absent or null; both parse to `defaultValue`, which OpenAPI shows as the default. */
export function optionalWithDefault<Schema extends z.ZodType>(
  schema: Schema,
  defaultValue: z.output<Schema>,
) {
  return schema
    .nullish()
    .transform((value): z.output<Schema> => value ?? defaultValue)
    .meta({ ...documentedMeta(schema), default: defaultValue });
}

/** Text of `min` to `max` characters. */
export function textField(max: number, min = 0) {
  return z.string().min(min).max(max);
}

/** The URL of a receiver. Only its form is checked here; the SSRF guard checks its address. */
export const receiverUrlField = z
  .string()
  .trim()
  .min(1)
  .max(2_048)
  // URL parsers silently drop or replace these characters: the URL of a request would differ from the stored URL.
  .regex(/^[^\s\p{Cc}\p{Cs}]*$/u, 'must not contain spaces, control characters or halves of characters');

/** Free-form data of the client: an object of up to 64 Ki characters of JSON. */
export const metadataField = z
  .record(z.string(), z.unknown())
  .refine((data) => JSON.stringify(data).length <= MAX_METADATA_CHARACTERS, {
    message: `must not be longer than ${MAX_METADATA_CHARACTERS} characters of JSON`,
  })
  .meta({
    description: 'Your own data, in any form, returned unchanged.',
    examples: [{ order_id: 'A-1001' }],
  });

/**
 * A whole number in a query, in plain digits: `0x10` and `1e2` are refused.
 * @param limited the schema of the number, with its bounds
 */
export function wholeNumberQuery<Limited extends z.ZodType<number, number>>(limited: Limited) {
  return z
    .preprocess((raw) => (PLAIN_DIGITS.test(String(raw)) ? Number(raw) : raw), limited)
    .meta({ type: 'integer' });
}

/** A boolean in a query: `true`, `1`, `false` or `0`. */
export const flagQuery = z
  .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })
  .meta({ type: 'boolean', description: 'Yes or no.', examples: [true] });

/** The metadata of a schema without its OpenAPI id: a wrapper of a named schema must not take its name. */
function documentedMeta(schema: z.ZodType): Record<string, unknown> {
  const { id: _id, ...meta } = schema.meta() ?? {};
  return meta;
}
