import type { FastifyRequest } from 'fastify';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

const HAS_COUNTRY_CODE = /^\s*(?:\+|00)/;

/**
 * A hook before the validation of a body: its numbers without a country code are read as they are dialled in the
 * country of the agent that it names.
 * @param fields where numbers stand
 */
export function readByRegionOfAgent(
  regions: AgentRegions,
  fields: readonly string[],
): (request: FastifyRequest) => Promise<void> {
  return async ({ principal, body }) => {
    if (typeof body !== 'object' || body === null) return;
    const given = body as FreeForm;
    const { agent_id: agentId } = given;
    const national = fields.filter((field) => isNational(given[field]));
    if (typeof agentId !== 'string' || national.length === 0) return;
    const region = (await regions(principal.workspace)).get(agentId);
    if (region === undefined) return;
    for (const field of national)
      given[field] = readPhoneNumber(String(given[field]), region) ?? given[field];
  };
}

function isNational(value: unknown): boolean {
  return typeof value === 'string' && !HAS_COUNTRY_CODE.test(value);
}
