import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem } from '#kernel/errors/errors.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { decisionResource } from '#policy/decisions/decision-resource.js';
import { VERDICTS } from '#policy/deciding/decision.js';
import { numberResource } from '#policy/decisions/number-resource.js';
import type { Numbers } from '#policy/decisions/numbers.js';
import { anyOf, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { answer } from '#http/schemas/route-schema.js';

const tags = ['Calling policy'];

const numberPath = z.object({
  phone_number: z.string().meta({
    description: 'A phone number, E.164; the plus sign may be omitted.',
    examples: ['+14155550123'],
  }),
});

/**
 * The routes about any phone number, owned or not: its facts and policy state, and the decisions about calling it. They
 * require the scope `read`. (`phone-numbers.ts` has those of the workspace's own numbers.)
 */
export const numberRoutes: FastifyPluginAsyncZod<{
  numbers: Numbers;
  /** The country of phone numbers in national format, such as `DE`; without it, numbers begin with a calling code. */
  region?: CountryCode | undefined;
}> = async (server, { numbers, region }) => {
  server.route({
    method: 'GET',
    url: '/api/numbers/:phone_number',
    schema: {
      operationId: 'getNumber',
      summary: 'Get what is known of a number',
      description:
        'The country, line type and time zones of a number, whether it is suppressed, its calling ' +
        'hours and attempts, and whether a call would be allowed now. Stores nothing.',
      tags,
      params: numberPath,
      response: { 200: answer('The facts of the number.', numberResource) },
    },
    handler: ({ principal, params }) =>
      numbers.get(principal.workspace, requireNumber(params.phone_number, region)),
  });

  server.route({
    method: 'GET',
    url: '/api/numbers/:phone_number/decisions',
    schema: {
      operationId: 'listNumberDecisions',
      summary: 'List the policy decisions about a number',
      description:
        'Why the number was called, or not: every decision, newest first, made when a call was ' +
        'accepted and again right before dialling.',
      tags,
      params: numberPath,
      querystring: listQuery.extend({
        verdict: anyOf(z.enum(VERDICTS)).optional().meta({ description: 'Only these verdicts.' }),
      }),
      response: {
        200: answer('One page of decisions.', listOf(decisionResource, 'NumberDecisionList')),
      },
    },
    handler: async (request, reply) => {
      const { cursor, limit, verdict, created_after, created_before } = request.query;
      const filter = {
        workspace: request.principal.workspace,
        phoneNumber: requireNumber(request.params.phone_number, region),
        verdict,
        decidedAfter: created_after,
        decidedBefore: created_before,
      };
      return answerWithPage(request, reply, await numbers.decisions(filter, cursor ?? null, limit));
    },
  });
};

/** Reads the number of the path. @throws Problem `phone_number_not_found` */
function requireNumber(text: string, region: CountryCode | undefined): string {
  const number = readPhoneNumber(text, region);
  if (number === null) throw new Problem('phone_number_not_found', 'The path names no phone number.');
  return number;
}
