import type { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import type { OpenApiDocument } from './openapi-document.js';

type DescribeRoute = ReturnType<typeof createJsonSchemaTransform>;
type Content = Record<string, { schema: unknown }>;

/*
 * Request bodies in the OpenAPI document that the generator (`@fastify/swagger`) cannot describe: routes with several
 * body types, and bodies that may be left out.
 */

/**
 * Extends the generator's function `describeRoute` to routes with several body types. The function takes one schema for
 * a body, so it is called once for each type, and once for the rest of the route.
 */
export function withContents(describeRoute: DescribeRoute): DescribeRoute {
  return (input) => {
    const { body, ...schema } = input.schema ?? {};
    if (!hasContents(body)) return describeRoute(input);
    const contents = Object.entries(body.content).map(([type, content]) => {
      const described = describeRoute({ ...input, schema: { body: content.schema } });
      return [type, { schema: described.schema['body'] }];
    });
    const route = describeRoute({ ...input, schema });
    return { ...route, schema: { ...route.schema, body: { content: Object.fromEntries(contents) } } };
  };
}

function hasContents(body: unknown): body is { content: Content } {
  return typeof body === 'object' && body !== null && 'content' in body;
}

/** Marks request bodies as optional, in place, if each of their types accepts `null`: a step of `finishDocument`. */
export function markOptionalBodies(document: OpenApiDocument): void {
  const isOptional = ({ schema }: Content[string]) => mayBeNull(resolved(schema, document));
  for (const operations of Object.values(document.paths)) {
    for (const { requestBody } of Object.values(operations)) {
      if (requestBody && Object.values(requestBody.content).every(isOptional)) requestBody.required = false;
    }
  }
}

function resolved(schema: unknown, { components }: OpenApiDocument): unknown {
  const { $ref } = schema as { $ref?: string };
  return $ref === undefined ? schema : components.schemas?.[$ref.replace('#/components/schemas/', '')];
}

function mayBeNull(schema: unknown): boolean {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: unknown[] };
  return type === 'null' || anyOf.some(mayBeNull);
}
