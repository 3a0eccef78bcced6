import { ownWarningsField } from '#kernel/input/request-warnings.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';

type Schema = { $ref?: string; anyOf?: Schema[]; properties?: Record<string, unknown> };

const WARNINGS = {
  description: ownWarningsField.meta()?.description,
  type: 'array',
  items: { $ref: '#/components/schemas/RequestWarning' },
};

/** Gives every answer to a body in JSON its `warnings`, in place; the server adds them to what routes answer. */
export function describeWarnings(document: OpenApiDocument): void {
  // What no route ever warns of has no schema.
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

function addWarnings(schema: Schema | undefined, document: OpenApiDocument): void {
  const named = schema?.$ref?.split('/').at(-1);
  const whole = named === undefined ? schema : (document.components.schemas?.[named] as Schema);
  for (const option of whole?.anyOf ?? []) addWarnings(option, document);
  if (whole?.properties) whole.properties['warnings'] ??= WARNINGS;
}
