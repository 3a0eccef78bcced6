import type { CountryCode } from 'libphonenumber-js';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callCreated, toCallCreated } from '#calls/resources/call-created.js';
import { callDisconnected, toCallDisconnected } from '#calls/resources/call-disconnected.js';
import { callRequest } from '#calls/requests/call-request.js';
import { callResource } from '#calls/resources/call-resource.js';
import type { CallSteering } from '#calls/live/actions/call-steering.js';
import type { CallViews } from '#calls/call-views.js';
import type { Calls } from '#calls/calls.js';
import type { Recordings } from '#calls/recordings/recordings.js';
import { metadataField, optional } from '#kernel/input/fields.js';
import { prefersStrict } from '#http/requests/prefer-strict.js';
import { answerWithPage } from '#http/answers/lists.js';
import { readByRegionOfAgent } from '#http/requests/national-numbers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { callExpansion, expandedCall, expandCall, type ExpansionParts } from './call-expansion.js';
import { callList, callListQuery, toCallFilter } from './call-list.js';
import { callPath } from './call-path.js';

/** The dependencies of the routes of calls. */
export interface CallRouteParts extends ExpansionParts {
  calls: Calls;
  views: CallViews;
  steering: CallSteering;
  recordings: Recordings;
  agentRegions: AgentRegions;
  /** The country of numbers in national format, such as `DE`, if the agent has no country of its own. */
  region?: CountryCode | undefined;
}

const callErased = z
  .object({
    call_id: z.string(),
    id: z.string(),
    object: z.literal('call'),
    deleted: z.literal(true),
  })
  .meta({
    id: 'CallErased',
    description: 'A call whose personal data was erased.',
    examples: [
      {
        call_id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        id: 'call_01kakb8x6te1tr7m3qf0c9w2af',
        object: 'call',
        deleted: true,
      },
    ],
  });

/**
 * The routes of calls: create, list, read, change, end, erase. Reading requires the scope `read`, all else `write`.
 * `outbound-call.ts` has another route that creates a call.
 */
export const callRoutes: FastifyPluginAsyncZod<CallRouteParts> = async (server, parts) => {
  createRoute(server, parts);
  readRoutes(server, parts);
  changeRoutes(server, parts);
};

function createRoute(server: HttpServer, { calls, agentRegions, region }: CallRouteParts): void {
  const body = callRequest(region);
  server.route({
    method: 'POST',
    url: '/api/calls',
    config: { idempotent: true },
    preValidation: readByRegionOfAgent(agentRegions, ['to_phone', 'from_phone']),
    schema: {
      operationId: 'createCall',
      summary: 'Call a number with an agent',
      description:
        'Accepts a call, to be dialled at once or at `scheduled_time`. One that may not be made now is kept as a call ' +
        'that has failed; with `Prefer: handling=strict` it is refused.',
      tags: ['Calls'],
      body,
      response: { 201: answer('The call is accepted.', callCreated), ...problems(404) },
    },
    handler: async (request, reply) => {
      const { agent_id: agentId, to_phone: to, from_phone: from } = request.body;
      // The answer to store for a repetition (`Idempotency-Key`); the transaction that creates the call fills in its
      // body.
      const kept = request.idempotency?.answer(201, null);
      const call = await calls.create(
        {
          principal: request.principal,
          agentId,
          to,
          from: from ?? null,
          // This route takes no label.
          name: null,
          options: request.body,
          isStrict: prefersStrict(request),
        },
        // `kind` selects the form of the stored body: that of this route, not of `outbound-call.ts`.
        kept ? { kind: 'call', kept } : null,
      );
      return reply.code(201).header('location', `/api/calls/${call.id}`).send(toCallCreated(call));
    },
  });
}

function readRoutes(server: HttpServer, parts: CallRouteParts): void {
  const { views, region } = parts;
  server.route({
    method: 'GET',
    url: '/api/calls',
    schema: {
      operationId: 'listCalls',
      summary: 'List calls',
      description:
        'Calls, newest first. A filter with several values, repeated or separated by commas, matches ' +
        'any of them.',
      tags: ['Calls'],
      querystring: callListQuery(region),
      response: { 200: answer('One page of calls.', callList) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, expand } = request.query;
      // The only value of `expand` in a list is `transcript`.
      const page = { cursor: cursor ?? null, limit, wholeTranscripts: expand !== undefined };
      return answerWithPage(
        request,
        reply,
        await views.list(toCallFilter(request.principal, request.query), page),
      );
    },
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id',
    schema: {
      operationId: 'getCall',
      summary: 'Get a call',
      description:
        'The current state of a call; while it is live, its duration, transcript and metrics grow.',
      tags: ['Calls'],
      params: callPath,
      querystring: z.object({ expand: callExpansion.optional() }),
      response: { 200: answer('The call.', expandedCall) },
    },
    handler: (request) =>
      expandCall(request.principal, request.params.call_id, request.query.expand ?? [], parts),
  });
}

function changeRoutes(server: HttpServer, { calls, views, recordings, steering }: CallRouteParts): void {
  server.route({
    method: 'PATCH',
    url: '/api/calls/:call_id',
    schema: {
      operationId: 'updateCall',
      summary: "Replace a call's metadata",
      description: 'Only `metadata` can be changed; everything else is a record of what happened.',
      tags: ['Calls'],
      params: callPath,
      body: z.object({ metadata: optional(metadataField) }).meta({
        id: 'CallUpdate',
        description: 'A change of a call.',
        examples: [{ metadata: { order_id: 'A-1001' } }],
      }),
      response: { 200: answer('The changed call.', callResource) },
    },
    handler: async (request) => {
      const { metadata } = request.body;
      if (metadata) await calls.setMetadata(request.principal, request.params.call_id, metadata);
      return (await views.get(request.principal, request.params.call_id)).resource;
    },
  });

  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/disconnect',
    // Live calls can be ended while the service shuts down.
    config: { whileDraining: true },
    schema: {
      operationId: 'disconnectCall',
      summary: 'End a call',
      description:
        'Hangs up, or cancels a call that has not been dialled yet. Ending a call that has ended ' +
        'changes nothing.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The call has ended or is ending.', callDisconnected) },
    },
    handler: async ({ principal, params }) => {
      const ended = await calls.disconnect(principal, params.call_id);
      if (!ended.alreadyEnded) await steering.note(principal, params.call_id, 'disconnect');
      return toCallDisconnected(ended);
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/calls/:call_id',
    schema: {
      operationId: 'eraseCall',
      summary: 'Erase the personal data of a call',
      description:
        'Erases the recording, transcript, numbers and data of an ended call. The call itself stays, ' +
        'without them, for statistics. What a batch tells of its callee goes as well; a number that the batch is still ' +
        'to call is to be cancelled first.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The call is erased.', callErased), ...problems(409) },
    },
    handler: async (request) => {
      const { call_id: id } = request.params;
      const { fileName } = await calls.erase(request.principal, id);
      if (fileName !== null) await recordings.removeFile(fileName);
      return { call_id: id, id, object: 'call' as const, deleted: true as const };
    },
  });
}
