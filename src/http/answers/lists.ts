import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { decodeCursor, encodeCursor, type Cursor, type Page } from '#store/page.js';
import { instantField, wholeNumberQuery } from '#kernel/input/fields.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

/*
 * The query and the response of routes that list rows page by page: page size, cursor, filters, and the `Link` header
 * to the next page.
 */

const LARGEST_LIMIT = 200;
const DEFAULT_LIMIT = 50;

/** Schema of the query parameter `limit`, the page size; values above `largest` mean `largest`. */
export function limitUpTo(largest: number) {
  return wholeNumberQuery(z.number().min(1))
    .transform((limit) => Math.min(limit, largest))
    .default(DEFAULT_LIMIT)
    .meta({
      type: 'integer',
      default: DEFAULT_LIMIT,
      description: `Page size; values above ${largest} are read as ${largest}.`,
      examples: [20],
    });
}

const cursorField = z
  .string()
  .transform((text, context) => {
    try {
      return decodeCursor(text);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      context.addIssue({
        code: 'custom',
        message: 'is not a cursor of this service',
        params: { code: error.code },
      });
      return z.NEVER;
    }
  })
  .optional()
  .meta({ description: 'The `next_cursor` of the previous page.' });

/**
 * The query of a list; routes with filters `.extend` it. The validated `created_after` and `created_before` are epoch
 * milliseconds, `cursor` is decoded.
 */
export const listQuery = z.object({
  limit: limitUpTo(LARGEST_LIMIT),
  cursor: cursorField,
  created_after: instantField.optional().meta({
    description: 'Only items created at this instant or later.',
    examples: ['2026-12-01T15:00:00Z'],
  }),
  created_before: instantField
    .optional()
    .meta({ description: 'Only items created before this instant.', examples: ['2026-12-31T23:59:59Z'] }),
});

/** The filter of a store by the time of creation, from the query of a list. */
export function createdWithin(query: Pick<z.output<typeof listQuery>, 'created_after' | 'created_before'>) {
  return { createdAfter: query.created_after, createdBefore: query.created_before };
}

/**
 * The schema of a filter with 1 to 50 values, repeated (`a=1&a=2`) or separated by commas (`a=1,2`); an item matches if
 * it has any of them.
 * @param values schema of one value
 */
export function anyOf<Value extends z.ZodType>(values: Value) {
  return z.preprocess(
    (raw) =>
      (Array.isArray(raw) ? raw : [raw])
        .flatMap((part) => String(part).split(','))
        .map((part) => part.trim()),
    z.array(values).min(1).max(50),
  );
}

/**
 * {@link anyOf} for phone numbers, in the same forms as when a call is placed. A text that is not a phone number is
 * kept and matches nothing.
 * @param region the country of numbers in national format, such as `DE`
 */
export function anyNumber(region?: CountryCode) {
  const number = z
    .string()
    .max(40)
    .transform((text) => readPhoneNumber(text, region) ?? text);
  return withBarePlus(anyOf(number));
}

/** Lets a filter by phone numbers take a plus sign that is not escaped in the URL: it arrives as a space. */
export function withBarePlus<Numbers extends z.ZodType>(numbers: Numbers) {
  return z.preprocess(
    (raw) => [raw].flat().map((part) => String(part).replace(/(^|,) (?=\d)/g, '$1+')),
    numbers,
  );
}

/**
 * The response schema of a list of `item`. `id` is its name in the OpenAPI document, such as `CallList`; `order` says
 * which item comes first.
 */
export function listOf<Item extends z.ZodType>(item: Item, id: string, order = 'newest first') {
  return z
    .object({
      object: z.literal('list').meta({ description: 'Says that this is a list.' }),
      data: z.array(item).meta({ description: `The items of this page, ${order}.` }),
      has_more: z.boolean().meta({ description: 'Whether there are items after this page.' }),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
    })
    .meta({ id, description: 'One page of a list.' });
}

/**
 * Sets the `Link` header to the next page, and returns the body of a list route, which its handler returns:
 * `return answerWithPage(request, reply, page)`.
 */
export function answerWithPage<Item>(request: FastifyRequest, reply: FastifyReply, page: Page<Item>) {
  const nextCursor =
    page.next === null ? null : encodeCursor({ ...page.next, list: listFingerprint(request) });
  if (nextCursor !== null) reply.header('link', `<${nextUrl(request.url, nextCursor)}>; rel="next"`);
  return {
    object: 'list' as const,
    data: page.items,
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  };
}

/**
 * Refuses the cursor of another list, or of this list with other filters: it would skip items. The server calls it
 * before the handler of each route. A cursor of an earlier release names no list and is accepted.
 * @throws Problem `invalid_cursor`
 */
export function requireOwnCursor(request: Pick<FastifyRequest, 'query' | 'params' | 'routeOptions'>): void {
  const { cursor } = (request.query ?? {}) as { cursor?: Cursor };
  if (cursor?.list === undefined || cursor.list === listFingerprint(request)) return;
  throw fieldProblem('invalid_cursor', 'query.cursor', 'is not a cursor of this list and these filters');
}

/** Query parameters that may differ between pages: they select no items. */
const PAGE_PARAMETERS = new Set(['cursor', 'limit', 'expand']);

/**
 * A hash of the list and its filters, which a cursor carries. It is the same for every page and page size, and does not
 * depend on the order of the filters or on capitals.
 */
function listFingerprint({
  query,
  routeOptions,
  params,
}: Pick<FastifyRequest, 'query' | 'routeOptions' | 'params'>): string {
  const filters = Object.entries(query ?? {}).filter(([name]) => !PAGE_PARAMETERS.has(name));
  const sortedFilters = filters.sort(([first], [second]) => (first < second ? -1 : 1));
  const key = JSON.stringify([routeOptions?.url, params, sortedFilters]);
  return createHash('sha256').update(key.toLowerCase()).digest('hex').slice(0, 16);
}

function nextUrl(url: string, cursor: string): string {
  const [path, ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('cursor', cursor);
  return `${path}?${parameters.toString()}`;
}
