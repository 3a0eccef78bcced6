import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { agentTrialInput } from '#agents/definitions/agent-input.js';
import { agentResource } from '#agents/definitions/agent.js';
import type { Agents } from '#agents/definitions/agents.js';
import { instantOut } from '#kernel/input/fields.js';
import { toInstant } from '#kernel/time/clock.js';
import type { Secrets } from '#secrets/secrets.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { noteDroppedTools, warningsOfRequest } from './agent-request-warnings.js';

const agentTrial = z
  .object({
    id: z.string().meta({ description: 'Names the trial in the address of an audio socket.' }),
    object: z.literal('agent_trial'),
    socket: z.string().meta({
      description: 'The path of an audio socket on which the agent answers; see docs/audio-socket.md.',
    }),
    expires_at: instantOut.meta({ description: 'Until when a call may begin.' }),
    agent: agentResource.meta({ description: 'The agent as it would be saved, with its warnings.' }),
  })
  .meta({ id: 'AgentTrial', description: 'An unsaved agent that can be called for a while.' });

/**
 * The route that lets people talk with an agent before it is saved: this process holds the agent in memory for 15
 * minutes. The agent editor of the console uses it. Requires the scope `write`, as every POST without another scope.
 */
export const agentTrialRoutes: FastifyPluginAsyncZod<{
  agents: Pick<Agents, 'createTrial'>;
  secrets: Pick<Secrets, 'list'>;
}> = async (server, { agents, secrets }) => {
  server.route({
    method: 'POST',
    url: '/api/agents/trials',
    preValidation: noteDroppedTools,
    schema: {
      operationId: 'tryAgent',
      summary: 'Talk with an unsaved agent',
      description:
        'Holds an agent in memory for 15 minutes, and saves nothing: calls begin on its `socket`, in the same process. ' +
        'What would be wrong with saving it is answered here. With `agent_id`, fields that are left out are those of ' +
        'that agent, and its calls are among those of that agent. A workspace holds its 20 newest trials.',
      tags: ['Agents'],
      body: agentTrialInput,
      response: { 201: answer('The trial.', agentTrial), ...problems(404) },
    },
    handler: async (request, reply) => {
      const withWarnings = await warningsOfRequest(request, secrets);
      const { id, agent, expiresAt } = await agents.createTrial(request.principal.workspace, request.body);
      const socket = `/ws/stream/${id}`;
      return reply
        .code(201)
        .header('location', socket)
        .send({
          id,
          object: 'agent_trial' as const,
          socket,
          expires_at: toInstant(expiresAt),
          agent: withWarnings(agent),
        });
    },
  });
};
