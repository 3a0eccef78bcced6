import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';

/*
 * Parses the arguments of a model's tool call, and validates them by the tool's JSON Schema (Ajv). Used by
 * `CallToolbox`, the talk steps of playbooks and the test of a tool. Also checks the schemas when an agent is saved.
 */

/** The most schemas in the cache, which holds the generated code of each. */
const MOST_COMPILED = 500;
/** Validation ends at the first problem, but a problem of `anyOf` lists those of every alternative. */
const MOST_REPORTED_PROBLEMS = 5;

const compiledSchemas = new LRUCache<string, ValidateFunction>({ max: MOST_COMPILED });

/** What is wrong with the JSON Schema of a tool's arguments; null for a valid schema of an object. */
export function argumentsProblem(schema: Readonly<Record<string, unknown>>): string | null {
  if (schema['type'] !== 'object') return 'must have "type": "object"';
  try {
    compile(schema);
    return null;
  } catch (error) {
    return `is no JSON Schema: ${(error as Error).message}`.slice(0, 300);
  }
}

/** A model's arguments: an object that fits the schema, or the problem in words for the model. */
export type ReadArguments = { args: Record<string, unknown> } | { problem: string };

/** Parses and validates arguments. @param text the JSON that the model wrote; empty text stands for no arguments */
export function readArguments(text: string, schema: Readonly<Record<string, unknown>>): ReadArguments {
  const args = parsed(text);
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return { problem: 'The arguments are no JSON object.' };
  const validate = compile(schema);
  if (validate(args)) return { args: args as Record<string, unknown> };
  const problems = (validate.errors ?? [])
    .slice(0, MOST_REPORTED_PROBLEMS)
    .map(({ instancePath, message }) => `${instancePath.slice(1).replaceAll('/', '.') || 'It'} ${message}.`);
  return { problem: `The arguments do not fit. ${problems.join(' ')}` };
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The validator of a schema, from the cache if possible. */
function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const key = JSON.stringify(schema);
  const cached = compiledSchemas.get(key);
  if (cached) return cached;
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  addFormats.default(ajv, { mode: 'fast' });
  // Matching a customer's pattern may take for ever: the model sees the pattern, but it is not checked.
  for (const keyword of ['pattern', 'patternProperties']) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword(keyword);
  }
  const validate = ajv.compile(schema);
  compiledSchemas.set(key, validate);
  return validate;
}
