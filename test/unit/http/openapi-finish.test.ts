import { describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';
import { finishDocument } from '#http/openapi/openapi-finish.js';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const body = (name: string) => ({ content: { 'application/json': { schema: reference(name) } } });

function finish(paths: OpenApiDocument['paths'], schemas: Record<string, unknown>) {
  return finishDocument({ openapi: '3.1.0', paths, components: { schemas } });
}

describe('finishing the document', () => {
  it('joins the two forms of a schema when they say the same, through references too', () => {
    const { components } = finish(
      {
        '/x': {
          post: {
            requestBody: body('OuterInput'),
            responses: { 200: { description: '', ...body('Outer') } },
          },
        },
      },
      {
        Inner: { type: 'string' },
        InnerInput: { type: 'string' },
        Outer: { properties: { inner: reference('Inner') }, additionalProperties: false },
        OuterInput: { properties: { inner: reference('InnerInput') } },
      },
    );
    expect(components.schemas).toEqual({
      Inner: { type: 'string' },
      Outer: { properties: { inner: reference('Inner') } },
    });
  });

  it('keeps both when they differ, and both are used', () => {
    const { components } = finish(
      {
        '/x': {
          post: { requestBody: body('SizeInput'), responses: { 200: { description: '', ...body('Size') } } },
        },
      },
      { Size: { type: 'integer' }, SizeInput: { type: 'string' } },
    );
    expect(Object.keys(components.schemas!)).toEqual(['Size', 'SizeInput']);
  });

  it('names a form that is only asked for without a suffix, and drops what nothing leads to', () => {
    const { components, paths } = finish(
      { '/x': { post: { requestBody: body('WishInput'), responses: {} } } },
      { Wish: { type: 'string' }, WishInput: { type: ['string', 'null'] }, Unused: {}, UnusedInput: {} },
    );
    expect(components.schemas).toEqual({ Wish: { type: ['string', 'null'] } });
    expect(paths['/x']!['post']!.requestBody!.content['application/json']!.schema).toEqual(reference('Wish'));
  });

  it('gives PATCH a name of its own where one route serves it and PUT', () => {
    const operation = { operationId: 'updateAgent', responses: {} };
    const { paths } = finish({ '/x': { put: operation, patch: operation } }, {});
    expect(paths['/x']!['put']!.operationId).toBe('updateAgent');
    expect(paths['/x']!['patch']!.operationId).toBe('patchAgent');
  });
});
