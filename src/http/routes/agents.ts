import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { agentCreate, agentUpdate } from '#agents/definitions/agent-input.js';
import { agentResource, AGENT_STATUSES, type AgentResource } from '#agents/definitions/agent.js';
import { agentPrompt } from '#agents/definitions/agent-prompt.js';
import type { Secrets } from '#secrets/secrets.js';
import type { Agents } from '#agents/definitions/agents.js';
import { flagQuery } from '#kernel/input/fields.js';
import { anyOf, createdWithin, listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { noteDroppedTools, warningsOfRequest } from './agent-request-warnings.js';

const EXAMPLE_ID = 'agent_01kakb8x6te1tr7m3qf0c9w2aa';
const tags = ['Agents'];

const agentPath = z.object({
  agent_id: z.string().meta({ description: 'The id of the agent.', examples: [EXAMPLE_ID] }),
});

const agentListQuery = listQuery.extend({
  status: anyOf(z.enum(AGENT_STATUSES)).optional().meta({ description: 'Only agents in these states.' }),
  q: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Text in the name or the id.', examples: ['reception'] }),
});

const agentList = listOf(agentResource, 'AgentList');

const deletedAgent = z
  .object({
    id: z.string().meta({ description: 'The id of the agent.' }),
    agent_id: z.string().meta({ description: 'The same as `id`.' }),
    object: z.literal('agent').meta({ description: 'What this was.' }),
    deleted: z.literal(true),
  })
  .meta({
    id: 'DeletedAgent',
    description: 'A deleted agent.',
    examples: [{ id: EXAMPLE_ID, agent_id: EXAMPLE_ID, object: 'agent', deleted: true }],
  });

/**
 * The routes of agents: create, list, read, change, delete, and show the prompt that a call, or a step of its playbook,
 * would begin with. Reading requires the scope `read`, all else `write`.
 */
export const agentRoutes: FastifyPluginAsyncZod<AgentRouteParts> = async (server, parts) => {
  createRoute(server, parts);
  readRoutes(server, parts.agents);
  promptRoute(server, parts);
  changeRoutes(server, parts);
};

interface AgentRouteParts {
  agents: Agents;
  secrets: Pick<Secrets, 'list'>;
  /** The time zone of days and times in a prompt that is shown. */
  defaultTimezone: string;
}

function createRoute(server: HttpServer, { agents, secrets }: AgentRouteParts): void {
  server.route({
    method: 'POST',
    url: '/api/agents',
    // `takesOwnAnswer`: clients copy an agent by sending its answer back.
    config: { idempotent: true, takesOwnAnswer: true },
    preValidation: noteDroppedTools,
    schema: {
      operationId: 'createAgent',
      summary: 'Create an agent',
      description:
        'Creates an agent. Any provider name is accepted; `warnings` says which are not configured, and which ' +
        'fields were passed over because no agent has them.',
      tags,
      body: agentCreate,
      response: { 201: answer('The agent.', agentResource), ...problems(404) },
    },
    handler: async (request, reply) => {
      const { workspace } = request.principal;
      const keepAnswer = keepAnswerOf(request, 201);
      const withWarnings = await warningsOfRequest(request, secrets);
      // The answer that is stored for repetitions of the request has the warnings, too.
      const keep = (agent: AgentResource) => keepAnswer(withWarnings(agent));
      const agent = withWarnings(await agents.create(workspace, request.body, keep));
      return reply.code(201).header('location', `/api/agents/${agent.id}`).send(agent);
    },
  });
}

function readRoutes(server: HttpServer, agents: Agents): void {
  server.route({
    method: 'GET',
    url: '/api/agents',
    schema: {
      operationId: 'listAgents',
      summary: 'List agents',
      description: 'Agents, newest first.',
      tags,
      querystring: agentListQuery,
      response: { 200: answer('One page of agents.', agentList) },
    },
    handler: async (request, reply) => {
      const { cursor, limit, status, q } = request.query;
      const { workspace } = request.principal;
      const filter = { workspace, status, search: q, ...createdWithin(request.query) };
      return answerWithPage(request, reply, await agents.list(filter, cursor ?? null, limit));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/agents/:agent_id',
    schema: {
      operationId: 'getAgent',
      summary: 'Get an agent',
      description: 'An agent, with the numbers that it answers.',
      tags,
      params: agentPath,
      response: { 200: answer('The agent.', agentResource) },
    },
    handler: ({ principal, params }) => agents.get(principal.workspace, params.agent_id),
  });
}

const promptQuery = z.object({
  variables: z
    .string()
    .max(16_000)
    .transform((text, context) => {
      const read = z.record(z.string(), z.string()).safeParse(jsonOf(text));
      if (read.success) return read.data;
      context.addIssue({ code: 'custom', message: 'is no JSON object of texts' });
      return z.NEVER;
    })
    .optional()
    .meta({
      type: 'string',
      description: 'The data of a call, as a JSON object of texts.',
      examples: ['{"name":"Ada"}'],
    }),
  step: z
    .string()
    .max(64)
    .optional()
    .meta({ description: 'A talk step of the playbook, by its name.', examples: ['book'] }),
});

/** The parsed JSON of a text; null if it is invalid. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function promptRoute(server: HttpServer, { agents, defaultTimezone }: AgentRouteParts): void {
  server.route({
    method: 'GET',
    url: '/api/agents/:agent_id/prompt',
    schema: {
      operationId: 'getAgentPrompt',
      summary: 'Get the prompt of an agent',
      description:
        'What its language model would be given in a call with this data, before anything is said; with `step`, in that ' +
        'talk step.',
      tags,
      params: agentPath,
      querystring: promptQuery,
      response: { 200: answer('The prompt.', agentPrompt) },
    },
    handler: ({ principal, params, query }) =>
      agents.prompt(principal.workspace, params.agent_id, {
        variables: query.variables ?? {},
        step: query.step ?? null,
        timeZone: defaultTimezone,
      }),
  });
}

function changeRoutes(server: HttpServer, { agents, secrets }: AgentRouteParts): void {
  server.route({
    method: ['PUT', 'PATCH'],
    url: '/api/agents/:agent_id',
    preValidation: noteDroppedTools,
    schema: {
      operationId: 'updateAgent',
      summary: 'Update an agent',
      description: 'Changes the given fields; live calls keep the agent as it was when they began.',
      tags,
      params: agentPath,
      body: agentUpdate,
      response: { 200: answer('The changed agent.', agentResource) },
    },
    handler: async (request) => {
      const { principal, params, body } = request;
      const withWarnings = await warningsOfRequest(request, secrets);
      return withWarnings(await agents.update(principal.workspace, params.agent_id, body));
    },
  });

  server.route({
    method: 'DELETE',
    url: '/api/agents/:agent_id',
    schema: {
      operationId: 'deleteAgent',
      summary: 'Delete an agent',
      description:
        'Deletes an agent; its calls keep its name. Refused while phone numbers, other agents, ' +
        'scheduled calls or batches use it, unless `force` is set.',
      tags,
      params: agentPath,
      querystring: z.object({
        force: flagQuery
          .optional()
          .meta({ type: 'boolean', description: 'Delete it even while it is in use.', examples: [true] }),
      }),
      response: { 200: answer('The agent is deleted.', deletedAgent), ...problems(409) },
    },
    handler: async ({ principal, params, query }) => {
      const id = params.agent_id;
      await agents.remove(principal.workspace, id, { force: query.force ?? false });
      return { id, agent_id: id, object: 'agent' as const, deleted: true as const };
    },
  });
}
