import type { FastifyRequest } from 'fastify';
import type { AgentResource } from '#agents/definitions/agent.js';
import { carriedOverWarnings, secretWarnings } from '#agents/definitions/agent-warnings.js';
import type { Secrets } from '#secrets/secrets.js';

/*
 * Warnings in the answers to requests with an agent: parts of its tools that were dropped, and missing secrets. Used
 * when an agent is created, changed or tried out.
 */

/**
 * Warnings about the parts of a request's tools that are dropped when the validation rewrites the tools into the shape
 * of this service. Kept for the time of the request, because the validated body no longer shows those parts.
 */
const droppedToolWarnings = new WeakMap<object, AgentResource['warnings']>();

/**
 * A hook that notes, before the validation, which parts of the tools will be dropped: the validation rewrites tools
 * that are in the shape of another service.
 */
export async function noteDroppedTools(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : null;
  droppedToolWarnings.set(request, carriedOverWarnings(tools));
}

/**
 * Returns a function that adds the warnings of a request to an agent resource: parts of tools that were dropped, and
 * secrets that its tools name and that do not exist.
 */
export async function warningsOfRequest(
  request: FastifyRequest,
  secrets: Pick<Secrets, 'list'>,
): Promise<(agent: AgentResource) => AgentResource> {
  const names = (await secrets.list(request.principal.workspace)).map(({ name }) => name);
  const known = new Set(names);
  return (agent) => ({
    ...agent,
    warnings: [
      ...(droppedToolWarnings.get(request) ?? []),
      ...agent.warnings,
      ...secretWarnings(agent, known),
    ],
  });
}
