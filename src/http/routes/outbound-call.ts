import type { CountryCode } from 'libphonenumber-js';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { outboundCallCreated, toOutboundCallCreated } from '#calls/resources/call-created.js';
import { outboundCallRequest } from '#calls/requests/call-request.js';
import type { Calls } from '#calls/calls.js';
import { readByRegionOfAgent } from '#http/requests/national-numbers.js';
import { prefersStrict } from '#http/requests/prefer-strict.js';
import { answer, problems } from '#http/schemas/route-schema.js';

/**
 * The route that calls one number now or later. Unlike that of `calls.ts` it needs no agent (the default agent talks)
 * and takes a label for the call. Requires the scope `write`.
 */
export const outboundCallRoutes: FastifyPluginAsyncZod<{
  calls: Calls;
  agentRegions: AgentRegions;
  region?: CountryCode | undefined;
}> = async (server, parts) => {
  const body = outboundCallRequest(parts.region);
  server.route({
    method: 'POST',
    url: '/outbound-call',
    config: { idempotent: true },
    preValidation: readByRegionOfAgent(parts.agentRegions, ['to_number', 'from_number']),
    schema: {
      operationId: 'placeOutboundCall',
      summary: 'Call a number, now or later',
      description:
        'Places a call to one number. With `scheduled_time` the call is placed at that time; a time ' +
        'up to 300 seconds in the past means now. Without `agent_id` the default agent talks. A call that may not be made ' +
        'now is kept as one that has failed; with `Prefer: handling=strict` it is refused.',
      tags: ['Calls'],
      body,
      response: {
        200: answer('The call is initiated, or scheduled.', outboundCallCreated),
        ...problems(404),
      },
    },
    handler: async (request) => {
      const { to_number: to, from_number: from, agent_id: agentId, name } = request.body;
      // The answer to a repeated request (`Idempotency-Key`); the transaction that creates the call fills in its body.
      const kept = request.idempotency?.answer(200, null);
      const call = await parts.calls.create(
        {
          principal: request.principal,
          agentId: agentId ?? null,
          to,
          from: from ?? null,
          fromField: 'from_number',
          name: name ?? null,
          options: request.body,
          isStrict: prefersStrict(request),
        },
        kept ? { kind: 'outbound', kept } : null,
      );
      return toOutboundCallCreated(call);
    },
  });
};
