import type { FastifyRequest } from 'fastify';
import type { AgentResource } from '#agents/definitions/agent.js';
import { carriedOverWarnings, secretWarnings } from '#agents/definitions/agent-warnings.js';
import type { Secrets } from '#secrets/secrets.js';

/*
 * Warnings in the answers to requests with an agent, in addition to those about the agent itself: parts of its tools
 * that were dropped, and missing secrets. Used when an agent is created, changed or tried out.
 */

/**
 * By request: warnings about parts of its tools that are dropped. Tools may have the shape of another service; the
 * validation rewrites them into the shape of this one, after which the dropped parts are no longer seen.
 */
const droppedToolWarnings = new WeakMap<object, AgentResource['warnings']>();

/** A hook that notes, before the validation, which parts of the tools the validation will drop. */
export async function noteDroppedTools(request: FastifyRequest): Promise<void> {
  const { body } = request;
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : null;
  droppedToolWarnings.set(request, carriedOverWarnings(tools));
}

/**
 * Reads the names of the workspace's secrets, and returns a function that adds the warnings of a request to an agent
 * resource: parts of tools that were dropped, and secrets that its tools name and that do not exist.
 */
export async function warningsOfRequest(
  request: FastifyRequest,
  secrets: Pick<Secrets, 'list'>,
): Promise<(agent: AgentResource) => AgentResource> {
  const names = (await secrets.list(request.principal.workspace)).map(({ name }) => name);
  const existingNames = new Set(names);
  return (agent) => ({
    ...agent,
    warnings: [
      ...(droppedToolWarnings.get(request) ?? []),
      ...agent.warnings,
      ...secretWarnings(agent, existingNames),
    ],
  });
}
