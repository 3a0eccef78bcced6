import { ownWarningsField } from '#kernel/input/request-warnings.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';

type Schema = { $ref?: string; anyOf?: Schema[]; properties?: Record<string, unknown> };

const WARNINGS = {
  description: ownWarningsField.meta()?.description,
  type: 'array',
  items: { $ref: '#/components/schemas/RequestWarning' },
};

/**
 * Adds the field `warnings` to the JSON responses of every operation that takes a JSON body, in place: a step of
 * `finishDocument`. The plugin `requestWarnings` adds this field to the answers, so the schemas of most routes lack it.
 */
export function describeWarnings(document: OpenApiDocument): void {
  // The document has this schema only if a route declares warnings of its own (a test server may have no such route).
  if (!('RequestWarning' in (document.components.schemas ?? {}))) return;
  const operations = Object.values(document.paths).flatMap((path): OpenApiOperation[] => Object.values(path));
  for (const { requestBody, responses } of operations) {
    if (requestBody?.content['application/json'] === undefined) continue;
    for (const { content } of Object.values(responses)) {
      const schema = content?.['application/json']?.schema as Schema | undefined;
      addWarnings(schema, document);
    }
  }
}

/** Adds the field to an object schema without it, or to each alternative of a union. */
function addWarnings(schema: Schema | undefined, document: OpenApiDocument): void {
  const named = schema?.$ref?.split('/').at(-1);
  const whole = named === undefined ? schema : (document.components.schemas?.[named] as Schema);
  for (const option of whole?.anyOf ?? []) addWarnings(option, document);
  if (whole?.properties) whole.properties['warnings'] ??= WARNINGS;
}
