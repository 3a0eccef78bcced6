import fastifyPlugin from 'fastify-plugin';
import { fieldProblem, Problem } from '../../kernel/errors.js';
import { scanJson } from '../../kernel/json-scan.js';

/** JSON, also by the names of its dialects. */
export const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|$)/i;
const DEEPEST_NESTING = 64;
const FORBIDDEN_KEYS_MESSAGE = 'must not have the key __proto__, nor constructor with a prototype';

/**
 * Which bodies are read, and how: JSON, and nothing at all whatever its type is said to be (clients announce JSON on
 * actions that have no body). A route for other types adds a parser in its own plugin.
 */
export const bodies = fastifyPlugin(async (app) => {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text.trim() === '') return done(null, undefined);
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding.toLowerCase() !== 'identity')
      return done(new Problem('unsupported_media_type', 'Send the body without a content-encoding.'));
    const trouble = troubleWith(text);
    if (trouble) return done(trouble);
    return parseJson(request, text, (error, value: unknown) =>
      done(error && isJson(text) ? bodyProblem('forbidden_key', FORBIDDEN_KEYS_MESSAGE) : error, value),
    );
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length === '0' && encoding === undefined) return done(null, undefined);
    return done(new Problem('unsupported_media_type', 'Send the body as application/json.'));
  });
});

/** What is valid JSON but would break what comes after: databases have no U+0000, and recursion has a bottom. */
function troubleWith(text: string): Problem | null {
  const { depth, hasNul } = scanJson(text);
  if (depth > DEEPEST_NESTING)
    return bodyProblem('too_deep', `is nested deeper than ${DEEPEST_NESTING} levels`);
  return hasNul ? bodyProblem('invalid_character', 'must not contain the character U+0000') : null;
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
