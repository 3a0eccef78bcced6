import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { PhoneNumberChanges } from '#agents/phone-numbers/phone-number-store.js';
import { lookupUrlField } from '#agents/definitions/lookup.js';
import { phoneNumberResource } from '#agents/phone-numbers/phone-number.js';
import type { PhoneNumbers } from '#agents/phone-numbers/phone-numbers.js';
import { phoneNumberField } from '#kernel/input/fields.js';
import { anyOf, createdWithin, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { idOrNumber } from '#http/requests/id-or-number.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';

/** The dependencies of the routes of phone numbers. */
export interface PhoneNumberRouteParts {
  phoneNumbers: PhoneNumbers;
  /** The country of phone numbers in national format, such as `DE`; without it, numbers begin with a calling code. */
  region?: CountryCode | undefined;
}

const EXAMPLE_ID = 'num_01kakb8x6te1tr7m3qf0c9w2ah';
const EXAMPLE_AGENT_ID = 'agent_01kakb8x6te1tr7m3qf0c9w2aa';
const tags = ['Phone numbers'];

const numberPath = z.object({
  number_id: z.string().meta({
    description: 'The id of the number, or the number itself, URL-encoded.',
    examples: [EXAMPLE_ID],
  }),
});

const agentId = z.string().min(1).max(100).nullish();
const fields = {
  agent_id: agentId.meta({
    description: 'The agent that answers; the default agent if omitted.',
    examples: [EXAMPLE_AGENT_ID],
  }),
  backup_agent_id: agentId.meta({
    description: 'Answers when that agent is inactive or gone.',
    examples: [EXAMPLE_AGENT_ID],
  }),
  provider: z
    .string()
    .trim()
    .min(1)
    .max(64)
    .nullish()
    .meta({
      description: 'The carrier that serves the number; the default one if omitted.',
      examples: ['sandbox'],
    }),
  label: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .nullish()
    .meta({ description: 'A label of your own.', examples: ['Front desk'] }),
  lookup_url: lookupUrlField,
};

const phoneNumberUpdate = z.object(fields).meta({
  id: 'PhoneNumberUpdate',
  description:
    'The fields to change; others stay as they are. `null` clears a field; the number itself ' +
    'never changes.',
  examples: [{ agent_id: EXAMPLE_AGENT_ID }],
});

const phoneNumberList = listOf(phoneNumberResource, 'PhoneNumberList');

const deletedPhoneNumber = z
  .object({
    id: z.string().meta({ description: 'The id of the number.' }),
    number_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('phone_number').meta({ description: 'What this was.' }),
    phone_number: z.string().meta({ description: 'The number, E.164.' }),
    deleted: z.literal(true),
  })
  .meta({
    id: 'DeletedPhoneNumber',
    description: 'A deleted phone number.',
    examples: [
      {
        id: EXAMPLE_ID,
        number_id: EXAMPLE_ID,
        object: 'phone_number',
        phone_number: '+14155550100',
        deleted: true,
      },
    ],
  });

/**
 * The routes of the workspace's own phone numbers: which agent answers which number. Reading requires the scope `read`,
 * all else `write`.
 */
export const phoneNumberRoutes: FastifyPluginAsyncZod<PhoneNumberRouteParts> = async (server, parts) => {
  createRoute(server, parts);
  readRoutes(server, parts);
  changeRoutes(server, parts);
};

function createRoute(server: HttpServer, { phoneNumbers, region }: PhoneNumberRouteParts): void {
  const body = z.object({ phone_number: phoneNumberField(region), ...fields }).meta({
    id: 'PhoneNumberCreate',
    description: 'A number and who answers it.',
    examples: [{ phone_number: '+14155550100', agent_id: EXAMPLE_AGENT_ID, label: 'Front desk' }],
  });
  server.route({
    method: 'POST',
    url: '/api/phone-numbers',
    config: { idempotent: true },
    schema: {
      operationId: 'createPhoneNumber',
      summary: 'Add a phone number',
      description: 'Adds a number of yours and says which agent answers it.',
      tags,
      body,
      response: { 201: answer('The number.', phoneNumberResource), ...problems(404) },
    },
    handler: async (request, reply) => {
      const { provider, ...input } = request.body;
      const number = await phoneNumbers.create(
        request.principal.workspace,
        { ...input, provider: provider ?? undefined },
        keepAnswerOf(request, 201),
      );
      return reply.code(201).header('location', `/api/phone-numbers/${number.id}`).send(number);
    },
  });
}

function readRoutes(server: HttpServer, { phoneNumbers, region }: PhoneNumberRouteParts): void {
  server.route({
    method: 'GET',
    url: '/api/phone-numbers',
    schema: {
      operationId: 'listPhoneNumbers',
      summary: 'List phone numbers',
      description: 'Phone numbers, newest first.',
      tags,
      querystring: listQuery.extend({
        agent_id: anyOf(z.string().max(100))
          .optional()
          .meta({ description: 'Only numbers that these agents answer.' }),
      }),
      response: { 200: answer('One page of numbers.', phoneNumberList) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, agent_id } = request.query;
      const { workspace } = request.principal;
      const filter = { workspace, agentId: agent_id, ...createdWithin(request.query) };
      return answerWithPage(request, reply, await phoneNumbers.list(filter, cursor ?? null, limit));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/phone-numbers/:number_id',
    schema: {
      operationId: 'getPhoneNumber',
      summary: 'Get a phone number',
      description: 'A number, by its id or by the number itself.',
      tags,
      params: numberPath,
      response: { 200: answer('The number.', phoneNumberResource) },
    },
    handler: ({ principal, params }) =>
      phoneNumbers.get(idOrNumber(principal.workspace, params.number_id, region)),
  });
}

function changeRoutes(server: HttpServer, { phoneNumbers, region }: PhoneNumberRouteParts): void {
  server.route({
    method: ['PUT', 'PATCH'],
    url: '/api/phone-numbers/:number_id',
    schema: {
      operationId: 'updatePhoneNumber',
      summary: 'Update a phone number',
      description: 'Changes the given fields. Live calls are not affected.',
      tags,
      params: numberPath,
      body: phoneNumberUpdate,
      response: { 200: answer('The changed number.', phoneNumberResource) },
    },
    handler: ({ principal, params, body }) =>
      phoneNumbers.update(idOrNumber(principal.workspace, params.number_id, region), changesOf(body)),
  });

  server.route({
    method: 'DELETE',
    url: '/api/phone-numbers/:number_id',
    schema: {
      operationId: 'deletePhoneNumber',
      summary: 'Delete a phone number',
      description: 'The default agent answers calls to this number from now on.',
      tags,
      params: numberPath,
      response: { 200: answer('The number is deleted.', deletedPhoneNumber) },
    },
    handler: async ({ principal, params }) => {
      const key = idOrNumber(principal.workspace, params.number_id, region);
      const { id, phone_number } = await phoneNumbers.remove(key);
      return { id, number_id: id, object: 'phone_number' as const, phone_number, deleted: true as const };
    },
  });
}

/** The fields that the request changes. A number always has a carrier, so `provider: null` changes nothing. */
function changesOf({ provider, ...changes }: z.output<typeof phoneNumberUpdate>): PhoneNumberChanges {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(provider && { provider }) };
}
