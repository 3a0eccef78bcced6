import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { phoneNumberField } from '#kernel/input/fields.js';
import {
  SUPPRESSION_REASONS,
  SUPPRESSION_SOURCES,
  suppressionResource,
} from '#policy/suppressions/suppression.js';
import { suppressionDetails } from '#policy/suppressions/suppression-list.js';
import type { Suppressions } from '#policy/suppressions/suppressions.js';
import {
  anyOf,
  createdWithin,
  listOf,
  listQuery,
  answerWithPage,
  withBarePlus,
} from '#http/answers/lists.js';
import { idOrNumber } from '#http/requests/id-or-number.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer } from '#http/schemas/route-schema.js';

/** The dependencies of the routes of the suppression list. */
export interface SuppressionRouteParts {
  suppressions: Suppressions;
  /** The country of phone numbers in national format, such as `DE`; without it, numbers begin with a calling code. */
  region?: CountryCode | undefined;
}

/** The most numbers of one request to check numbers. */
const MAX_CHECKED = 1_000;
const tags = ['Calling policy'];

const suppressionPath = z.object({
  suppression_id: z.string().meta({
    description: 'The id of the entry, or the number itself, URL-encoded.',
    examples: ['%2B14155550123'],
  }),
});

const suppressionDeleted = suppressionResource
  .extend({ deleted: z.literal(true) })
  .meta({ id: 'SuppressionDeleted', description: 'An entry that was taken off the list.' });

const suppressionCheck = z
  .object({
    object: z.literal('suppression_check'),
    suppressed: z.int().meta({ description: 'How many of the numbers are on the list.' }),
    results: z.array(
      z.object({
        phone_number: z.string().meta({ description: 'The number, E.164.' }),
        suppressed: z.boolean().meta({ description: 'Whether it is on the list.' }),
        suppression: suppressionResource.nullable().meta({ description: 'Its entry.' }),
      }),
    ),
  })
  .meta({
    id: 'SuppressionCheck',
    description: 'Which of some numbers are on the list, in the order asked.',
  });

/**
 * The routes of the suppression list, the numbers that must not be called: add, list, read, check, remove. Adding and
 * removing require the scope `write`, all else `read`.
 */
export const suppressionRoutes: FastifyPluginAsyncZod<SuppressionRouteParts> = async (server, parts) => {
  addRoute(server, parts);
  readRoutes(server, parts);
  checkRoute(server, parts);
  removeRoute(server, parts);
};

function addRoute(server: HttpServer, { suppressions, region }: SuppressionRouteParts): void {
  server.route({
    method: 'POST',
    url: '/api/suppressions',
    config: { idempotent: true },
    schema: {
      operationId: 'addSuppression',
      summary: 'Suppress a number',
      description:
        "Puts a number on the workspace's suppression list; calls to it that wait are cancelled, and " +
        'so are its schedules. A number that is already listed keeps its entry; only a later end ' +
        'changes it.',
      tags,
      body: z.object({ phone_number: phoneNumberField(region), ...suppressionDetails }).meta({
        id: 'SuppressionCreate',
        description: 'A number that must not be called.',
        examples: [{ phone_number: '+15550100002', reason: 'opt_out', note: 'Asked on the phone' }],
      }),
      response: {
        200: answer('It was already on the list.', suppressionResource),
        201: answer('It is on the list now.', suppressionResource),
      },
    },
    handler: async (request, reply) => {
      const { phone_number: phoneNumber, reason, note, expires_at: expiresAt } = request.body;
      const { suppression, isNew } = await suppressions.add(
        request.principal.workspace,
        { phoneNumber, reason, note: note ?? null, expiresAt: expiresAt ?? null },
        // The transaction that adds the entry makes the body, and the status if the entry was there.
        request.idempotency?.answer(201, null) ?? null,
      );
      if (isNew) reply.header('location', `/api/suppressions/${suppression.id}`);
      return reply.code(isNew ? 201 : 200).send(suppression);
    },
  });
}

function readRoutes(server: HttpServer, { suppressions, region }: SuppressionRouteParts): void {
  server.route({
    method: 'GET',
    url: '/api/suppressions',
    schema: {
      operationId: 'listSuppressions',
      summary: 'List suppressed numbers',
      description: 'The entries of the suppression list that have not expired, newest first.',
      tags,
      querystring: listQuery.extend({
        phone_number: withBarePlus(anyOf(phoneNumberField(region)))
          .optional()
          .meta({ description: 'Only these numbers.' }),
        reason: anyOf(z.enum(SUPPRESSION_REASONS)).optional().meta({ description: 'Only these reasons.' }),
        source: anyOf(z.enum(SUPPRESSION_SOURCES)).optional().meta({ description: 'Only these sources.' }),
      }),
      response: {
        200: answer('One page of the list.', listOf(suppressionResource, 'SuppressionList')),
      },
    },
    handler: async (request, reply) => {
      const { cursor, limit, phone_number, reason, source } = request.query;
      const { workspace } = request.principal;
      const filter = {
        workspace,
        phoneNumber: phone_number,
        reason,
        source,
        ...createdWithin(request.query),
      };
      const page = await suppressions.list(filter, cursor ?? null, limit);
      return answerWithPage(request, reply, page);
    },
  });

  server.route({
    method: 'GET',
    url: '/api/suppressions/:suppression_id',
    schema: {
      operationId: 'getSuppression',
      summary: 'Get a suppression',
      description: 'An entry, by its id or by its number; 404 for a number that is not listed.',
      tags,
      params: suppressionPath,
      response: { 200: answer('The entry.', suppressionResource) },
    },
    handler: ({ principal, params }) =>
      suppressions.get(idOrNumber(principal.workspace, params.suppression_id, region)),
  });
}

function checkRoute(server: HttpServer, { suppressions, region }: SuppressionRouteParts): void {
  server.route({
    method: 'POST',
    url: '/api/suppressions/check',
    // A POST that changes nothing.
    config: { scope: 'read' },
    schema: {
      operationId: 'checkSuppressions',
      summary: 'Check numbers against the suppression list',
      description: `Says which of up to ${MAX_CHECKED} numbers are on the list. Changes nothing.`,
      tags,
      body: z.object({ phone_numbers: z.array(phoneNumberField(region)).min(1).max(MAX_CHECKED) }).meta({
        id: 'SuppressionCheckRequest',
        description: 'Numbers to look up.',
        examples: [{ phone_numbers: ['+15550100002', '+15550100003'] }],
      }),
      response: { 200: answer('The result for each number.', suppressionCheck) },
    },
    handler: async ({ principal, body }) => {
      const found = await suppressions.check(principal.workspace, body.phone_numbers);
      const results = body.phone_numbers.map((phone_number) => {
        const suppression = found.get(phone_number) ?? null;
        return { phone_number, suppressed: suppression !== null, suppression };
      });
      return { object: 'suppression_check' as const, suppressed: found.size, results };
    },
  });
}

function removeRoute(server: HttpServer, { suppressions, region }: SuppressionRouteParts): void {
  server.route({
    method: 'DELETE',
    url: '/api/suppressions/:suppression_id',
    schema: {
      operationId: 'removeSuppression',
      summary: 'Remove a suppression',
      description: 'Removes a number from the suppression list, by the id of its entry or by the number.',
      tags,
      params: suppressionPath,
      response: { 200: answer('The entry is removed.', suppressionDeleted) },
    },
    handler: async ({ principal, params }) => {
      const removed = await suppressions.remove(
        idOrNumber(principal.workspace, params.suppression_id, region),
      );
      return { ...removed, deleted: true as const };
    },
  });
}
