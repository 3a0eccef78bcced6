import type { FastifyRequest } from 'fastify';
import type { AgentResource } from '#agents/definitions/agent.js';
import { carriedOverWarnings, secretWarnings } from '#agents/definitions/agent-warnings.js';
import type { Secrets } from '#secrets/secrets.js';

/** What of the tools of a request is not kept as it was sent, as warnings; the validation does not tell of it. */
const passedOver = new WeakMap<object, AgentResource['warnings']>();

/** A hook before the validation, which rewrites tools in the shape of another service. */
export async function notePassedOver(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : null;
  passedOver.set(request, carriedOverWarnings(tools));
}

/** Adds to an agent what a request has left of itself: parts of tools that were lost, secrets that do not exist. */
export async function warningsOfRequest(
  request: FastifyRequest,
  secrets: Pick<Secrets, 'list'>,
): Promise<(agent: AgentResource) => AgentResource> {
  const names = (await secrets.list(request.principal.workspace)).map(({ name }) => name);
  const known = new Set(names);
  return (agent) => ({
    ...agent,
    warnings: [...(passedOver.get(request) ?? []), ...agent.warnings, ...secretWarnings(agent, known)],
  });
}
