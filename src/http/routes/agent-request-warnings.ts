import type { FastifyRequest } from 'fastify';
import type { AgentResource } from '#agents/definitions/agent.js';
import { unknownAgentFields } from '#agents/definitions/agent-input.js';
import { carriedOverWarnings, ignoredWarnings, secretWarnings } from '#agents/definitions/agent-warnings.js';
import type { Secrets } from '#secrets/secrets.js';

/**
 * Warnings about parts of a request that are stored differently from what was sent; validation does not report them.
 */
const passedOver = new WeakMap<object, AgentResource['warnings']>();

/** A hook before validation, which removes unknown fields. */
export async function notePassedOver(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : null;
  passedOver.set(request, [...ignoredWarnings(unknownAgentFields(body)), ...carriedOverWarnings(tools)]);
}

/** Adds a request's warnings to the agent: ignored fields, and secrets that do not exist. */
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
