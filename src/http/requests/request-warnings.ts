import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { joinFields, knownFieldsOf, type KnownFields } from '#kernel/input/known-fields.js';
import { unknownFieldWarnings, type RequestWarning } from '#kernel/input/request-warnings.js';
import { LargeBody } from './large-bodies.js';

/** The header that carries the warnings, as JSON, if the answer itself is not JSON (a file, or no body). */
const WARNINGS_HEADER = 'x-request-warnings';
const NO_FIELDS: KnownFields = new Map();

/** The warnings of each request. They are collected before the validation, which removes unknown fields. */
const warningsByRequest = new WeakMap<FastifyRequest, readonly RequestWarning[]>();

/**
 * The server's plugin that warns of unknown fields in JSON bodies: they are ignored, and named in `warnings` of the
 * answer. The answer to an error has the warnings, too, because a misspelt field is often its cause. Large bodies are
 * left out: the thread that parses them finds their unknown fields.
 */
export const requestWarnings = fastifyPlugin(async (app) => {
  app.addHook('onRoute', (route) => {
    const known = knownFieldsOfRoute(route);
    if (known === null) return;
    route.preValidation = [noteUnknownFields(known), ...[route.preValidation ?? []].flat()];
    route.onSend = [...[route.onSend ?? []].flat(), addWarnings];
  });
});

/**
 * The fields that a route knows without a warning: those of its body and, if it changes an object (PUT, PATCH) or
 * `takesOwnAnswer`, those of its answers, since clients send objects back as they have read them. Null if the route
 * takes no JSON.
 */
function knownFieldsOfRoute({ schema, method, config }: RouteOptions): KnownFields | null {
  const known = knownFieldsOf(jsonOf(schema?.body));
  if (known === null) return null;
  const isChange = [method].flat().some((name) => name === 'PUT' || name === 'PATCH');
  if (!isChange && config?.takesOwnAnswer !== true) return known;
  const answers = Object.entries((schema?.response ?? {}) as Record<string, unknown>)
    .filter(([status]) => status.startsWith('2'))
    .map(([, answer]) => knownFieldsOf(jsonOf(answer)) ?? NO_FIELDS);
  return answers.reduce(joinFields, known);
}

/** The schema for JSON of a body or an answer, which may have a schema for each media type. */
function jsonOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('content' in part)) return part;
  const { 'application/json': json } = part.content as Record<string, { schema: unknown } | undefined>;
  return json?.schema;
}

/** Makes the hook that collects the warnings about unknown fields of a request. */
function noteUnknownFields(known: KnownFields): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (request.body instanceof LargeBody) return;
    const warnings = unknownFieldWarnings(request.body, known);
    if (warnings.length > 0) warningsByRequest.set(request, warnings);
  };
}

/** Adds the warnings of a request to its answer, which is JSON if it is a text, or else to a header. */
async function addWarnings(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const warnings = warningsByRequest.get(request);
  if (warnings === undefined) return payload;
  if (typeof payload === 'string') return withWarnings(payload, warnings);
  // A header holds ASCII only.
  const text = JSON.stringify(warnings).replace(/[^\x20-\x7e]/g, '?');
  reply.header(WARNINGS_HEADER, text);
  return payload;
}

/** An answer with these warnings before those that the route itself gives. */
function withWarnings(json: string, warnings: readonly RequestWarning[]): string {
  const body = JSON.parse(json) as Record<string, unknown>;
  const own = Array.isArray(body['warnings']) ? (body['warnings'] as unknown[]) : [];
  return JSON.stringify({ ...body, warnings: [...warnings, ...own] });
}
