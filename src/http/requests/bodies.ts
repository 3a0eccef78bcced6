import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { fieldOf, oneOf } from '#kernel/input/issue-message.js';
import { flawsOf, isTooDeep, mayHaveFlaws, TOO_DEEP } from '#kernel/input/json-scan.js';

/** JSON media types: `application/json`, also with a suffix such as `application/problem+json`. */
export const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;
const FORBIDDEN_KEYS_MESSAGE = 'must not have the key __proto__, nor constructor with a prototype';

/**
 * The server's plugin that parses bodies. JSON is parsed; an empty body of any type counts as no body, because clients
 * announce JSON also on actions without a body; any other type is refused. A route for other types, or for large
 * bodies, replaces these parsers in its own plugin.
 */
export const bodies = fastifyPlugin(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    if (isEncoded(request.headers)) return done(encodedProblem());
    if (!isUtf8(body)) return done(bodyProblem('invalid_value', 'is not UTF-8'));
    return parseJson(request, text, (error, value: unknown) => {
      if (error) return done(isJson(text) ? bodyProblem('forbidden_key', FORBIDDEN_KEYS_MESSAGE) : error);
      if (isTooDeep(value)) return done(bodyProblem('too_deep', TOO_DEEP));
      return done(mayHaveFlaws(text) ? flawProblem(value, text) : null, value);
    });
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (hasNoBody(request.headers)) return done(null, undefined);
    return done(typeProblem(request));
  });
});

/** True if the headers of a request announce no body, or an empty one. */
export function hasNoBody(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length === '0' && encoding === undefined;
}

/** True if a body has a content encoding; none is supported. */
export function isEncoded({ 'content-encoding': encoding = 'identity' }: IncomingHttpHeaders): boolean {
  return encoding.toLowerCase() !== 'identity';
}

/** The problem that names the accepted media types: those of the route's schema, else JSON. */
export function typeProblem({ routeOptions }: FastifyRequest): Problem {
  const { content = { 'application/json': {} } } = (routeOptions.schema?.body ?? {}) as { content?: object };
  return new Problem('unsupported_media_type', `Send the body as ${oneOf(Object.keys(content))}.`);
}

/** The problem of a body with a content encoding such as gzip. */
export function encodedProblem(): Problem {
  return new Problem('unsupported_media_type', 'Send the body without a content-encoding.');
}

/** True if a text is valid JSON. A valid text that the parser refuses contains a key that would change a prototype. */
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

/**
 * The problem of a body with values that cannot be stored exactly, such as U+0000 or an inexact number; null without
 * any in the parsed body. (The text alone may show more: of two values with the same key only the later is kept.)
 */
function flawProblem(body: unknown, text: string): Problem | null {
  const details = flawsOf(body, text).map(({ path, code, message }) => ({
    field: fieldOf(path),
    code,
    message,
  }));
  const [first] = details;
  return first ? new Problem('validation_error', `${first.field} ${first.message}.`, { details }) : null;
}
