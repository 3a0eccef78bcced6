import { NO_PHONE_NUMBER } from '#kernel/input/fields.js';
import type { ProblemBody } from '#http/problems/problem-body.js';
import { fieldExample, problemExample } from '#http/problems/problem-examples.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';

/** The reference to the schema of problems. */
export const PROBLEM = '#/components/schemas/Problem';
/** The names that bodies have for the number to call, for an example with a wrong number. */
const NUMBER_FIELDS = ['to_phone', 'to_number', 'phone_number'];

/**
 * Adds an example to the responses whose body is a `Problem`, in place: a step of `finishDocument`. The example of a
 * 400 is about a field of the operation if possible. Each example is written once, among the components; responses
 * refer to it.
 */
export function describeProblems(document: OpenApiDocument): void {
  const examples: Record<string, { value: ProblemBody }> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values(operations)) {
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        const value =
          (status === '400' && fieldExampleOf(operation, document)) || problemExample(Number(status), path);
        for (const shown of Object.values(content)) {
          if (!value || (shown.schema as { $ref?: string }).$ref !== PROBLEM) continue;
          const name = nameOf(value);
          examples[name] = { value };
          shown.examples = { [value.code]: { $ref: `#/components/examples/${name}` } };
        }
      }
    }
  }
  const names = Object.keys(examples).sort();
  document.components['examples'] = Object.fromEntries(names.map((name) => [name, examples[name]]));
}

/** The name of an example among the components: `400.invalid_phone_number.to_phone`. */
function nameOf({ status, code, details: [detail] }: ProblemBody): string {
  const field = detail?.field.replaceAll(/[^a-z_]+/g, '.').replaceAll(/^\.|\.$/g, '');
  return [status, code, ...(field === undefined ? [] : [field])].join('.');
}

/**
 * An example of a 400 about a field that this operation has: the number to call, or else `limit` of a list. Undefined
 * if it has neither.
 */
function fieldExampleOf(operation: OpenApiOperation, document: OpenApiDocument): ProblemBody | undefined {
  const numberField = numberFieldOf(operation, document);
  if (numberField !== undefined) return fieldExample('invalid_phone_number', numberField, [NO_PHONE_NUMBER]);
  if (!operation.parameters?.some(({ name, in: place }) => place === 'query' && name === 'limit'))
    return undefined;
  return fieldExample('validation_error', 'query.limit', ['must be at least 1', 'too_small']);
}

/** The path of the number to call in an operation's body: `to_phone`, `to_number[0].phone_number`; or undefined. */
function numberFieldOf(
  { requestBody }: OpenApiOperation,
  { components }: OpenApiDocument,
): string | undefined {
  const { $ref } = (requestBody?.content['application/json']?.schema ?? {}) as { $ref?: string };
  const schema = components.schemas?.[String($ref?.split('/').at(-1))];
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string }> };
  const name = NUMBER_FIELDS.find((field) => field in properties);
  return name !== undefined && properties[name]!.type === 'array' ? `${name}[0].phone_number` : name;
}
