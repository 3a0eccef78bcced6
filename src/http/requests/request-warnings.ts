import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { joinFields, knownFieldsOf, type KnownFields } from '#kernel/input/known-fields.js';
import { unknownFieldWarnings, type RequestWarning } from '#kernel/input/request-warnings.js';
import { LargeBody } from './large-bodies.js';

/** Carries the warnings of an answer that is no JSON, as JSON. */
const WARNINGS_HEADER = 'x-request-warnings';
const NO_FIELDS: KnownFields = new Map();

/** What was found in requests before their validation, which leaves unknown fields out. */
const found = new WeakMap<FastifyRequest, readonly RequestWarning[]>();

/**
 * Every route that takes JSON tells of the fields that its schema does not know, in `warnings` of its answer, also of
 * one that refuses the request: a misspelt field is often why. Bodies that a thread reads are looked at there.
 */
export const requestWarnings = fastifyPlugin(async (app) => {
  app.addHook('onRoute', (route) => {
    const known = knownTo(route);
    if (known === null) return;
    route.preValidation = [noteUnknownFields(known), ...[route.preValidation ?? []].flat()];
    route.onSend = [...[route.onSend ?? []].flat(), tellWarnings];
  });
});

/** True if the client wants a request refused that could only be met in part (RFC 7240, `handling=strict`). */
export function prefersStrict({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers['prefer'] ?? ''));
}

/** The fields that a route reads, and those of what it changes: an object may be sent back as it was read. */
function knownTo({ schema, method, config }: RouteOptions): KnownFields | null {
  const known = knownFieldsOf(jsonOf(schema?.body));
  if (known === null) return null;
  const isChange = [method].flat().some((name) => name === 'PUT' || name === 'PATCH');
  if (!isChange && config?.takesOwnAnswer !== true) return known;
  const answers = Object.entries((schema?.response ?? {}) as Record<string, unknown>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, answer]) => knownFieldsOf(jsonOf(answer)) ?? NO_FIELDS);
  return answers.reduce(joinFields, known);
}

/** The schema of a body: its own, or the one that it has for JSON. */
function jsonOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('content' in part)) return part;
  const { 'application/json': json } = part.content as Record<string, { schema: unknown } | undefined>;
  return json?.schema;
}

function noteUnknownFields(known: KnownFields): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (request.body instanceof LargeBody) return;
    const warnings = unknownFieldWarnings(request.body, known);
    if (warnings.length > 0) found.set(request, warnings);
  };
}

async function tellWarnings(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const warnings = found.get(request);
  if (warnings === undefined) return payload;
  if (typeof payload === 'string') return withWarnings(payload, warnings);
  // A header takes no other characters.
  const text = JSON.stringify(warnings).replace(/[^\x20-\x7e]/g, '?');
  reply.header(WARNINGS_HEADER, text);
  return payload;
}

/** An answer with these warnings before its own. */
function withWarnings(json: string, warnings: readonly RequestWarning[]): string {
  const body = JSON.parse(json) as Record<string, unknown>;
  const own = Array.isArray(body['warnings']) ? (body['warnings'] as unknown[]) : [];
  return JSON.stringify({ ...body, warnings: [...warnings, ...own] });
}
