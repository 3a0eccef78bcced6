import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { fieldOf, oneOf } from '#kernel/input/issue-message.js';
import { DEEPEST_NESTING, flawsOf, scanJson, TOO_DEEP, type JsonScan } from '#kernel/input/json-scan.js';

/** JSON, also by the names of its dialects. */
export const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;
const FORBIDDEN_KEYS_MESSAGE = 'must not have the key __proto__, nor constructor with a prototype';

/**
 * Which bodies are read, and how: JSON, and nothing at all whatever its type is said to be (clients announce JSON on
 * actions that have no body). A route for other types adds a parser in its own plugin.
 */
export const bodies = fastifyPlugin(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    if (isEncoded(request.headers)) return done(encodedProblem());
    if (!isUtf8(body)) return done(bodyProblem('invalid_value', 'is not UTF-8'));
    const { depth, isSuspect, inexact } = scanJson(text);
    if (depth > DEEPEST_NESTING) return done(bodyProblem('too_deep', TOO_DEEP));
    return parseJson(request, text, (error, value: unknown) => {
      if (error) return done(isJson(text) ? bodyProblem('forbidden_key', FORBIDDEN_KEYS_MESSAGE) : error);
      return done(isSuspect ? flawProblem(value, inexact) : null, value);
    });
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (hasNoBody(request.headers)) return done(null, undefined);
    return done(typeProblem(request));
  });
});

export function hasNoBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length === '0' && encoding === undefined;
}

/** Whether a body is packed in some way, which none is read in. */
export function isEncoded({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return encoding.toLowerCase() !== 'identity';
}

/** Says in which types the route takes its body: those of its schema, else JSON. */
export function typeProblem({ routeOptions }: FastifyRequest): Problem {
  const { content = { 'application/json': {} } } = (routeOptions.schema?.body ?? {}) as { content?: object };
  return new Problem('unsupported_media_type', `Send the body as ${oneOf(Object.keys(content))}.`);
}

export function encodedProblem(): Problem {
  return new Problem('unsupported_media_type', 'Send the body without a content-encoding.');
}

/** Whether a text that was refused is JSON all the same: then it has a key that reaches for a prototype. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function bodyProblem(code: string, message: string): Problem {
  return fieldProblem('validation_error', 'body', message, code);
}

/** Null where there is no flaw, or one of the same key came later. */
function flawProblem(body: unknown, inexact: JsonScan['inexact']): Problem | null {
  const details = flawsOf(body, inexact).map(({ path, code, message }) => ({
    field: fieldOf(path),
    code,
    message,
  }));
  const [first] = details;
  return first ? new Problem('validation_error', `${first.field} ${first.message}.`, { details }) : null;
}
