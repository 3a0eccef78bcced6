import type { FastifyRequest } from 'fastify';
import type { AgentRegions } from '#agents/definitions/agent-regions.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';

const HAS_COUNTRY_CODE = /^\s*(?:\+|00)/;

/**
 * Makes a hook that runs before the validation of a body, and rewrites its phone numbers in place. If the body names an
 * agent with a country, numbers without a country code are read as they are dialled in that country: `030 1234567`
 * becomes `+49301234567` for an agent in Germany. Other numbers are left to the validation, which reads them by the
 * region of the service. Used by the routes that place or schedule one call; batches do the same on their own thread.
 * @param fields names of the fields of the body that hold a phone number
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
