import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';
import { systemClock } from '#kernel/time/clock.js';
import { OPENAPI_FILE } from '../../../tools/openapi.mjs';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

interface Body {
  method: string;
  path: string;
  examples: object[];
}

const document = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as OpenApiDocument;
const bodies = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]): Body[] => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema === undefined ? [] : [{ method: method.toUpperCase(), path, examples: examplesOf(schema) }];
  }),
);

let service: TestService;
beforeAll(async () => {
  // The examples are in its future.
  const clock = { ...systemClock, wallMs: () => Date.UTC(2026, 10, 21) };
  service = await buildTestService({ replace: { clock } });
});
afterAll(() => service.close());

it.each(bodies.map((body) => [`${body.method} ${body.path}`, body] as const))(
  '%s shows a whole body, which is accepted',
  async (_name, { method, path, examples }) => {
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const { status, body } = await service.request(method, path.replaceAll(/\{\w+\}/g, 'absent'), example);
      // What the example names need not be there: a body is read before anything is looked for.
      const isSignIn = path === '/console/session';
      expect([isSignIn ? 401 : 200, 201, 202, 404], JSON.stringify(body)).toContain(status);
    }
  },
);

it.each(bodies.map((body) => [`${body.method} ${body.path}`, body] as const))(
  '%s tells of a field that it does not know',
  async (_name, { method, path, examples }) => {
    const answer = await service.app.server.inject({
      method: method as 'POST',
      url: path.replaceAll(/\{\w+\}/g, 'absent'),
      headers: { 'x-api-key': TEST_KEY },
      payload: { ...examples[0], naem: 1 },
    });
    // An answer that is no JSON has its warnings in a header.
    const header = answer.headers['x-request-warnings'];
    const told =
      header === undefined ? answer.json<{ warnings?: unknown }>().warnings : JSON.parse(String(header));
    expect(told).toContainEqual(expect.objectContaining({ code: 'field_not_known', field: 'naem' }));
  },
);

it('documents the warnings of every answer to such a body', () => {
  const without = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap(({ requestBody, responses }) => {
      if (!requestBody?.content['application/json']) return [];
      const answers = Object.entries(responses).filter(([, { content }]) => content?.['application/json']);
      const silent = answers.filter(([, { content }]) => !hasWarnings(content!['application/json']!.schema));
      return silent.map(([status]) => `${path} ${status}`);
    }),
  );
  expect(without).toEqual([]);
});

function hasWarnings(node: unknown): boolean {
  const { $ref, properties, anyOf } = node as { $ref?: string; properties?: object; anyOf?: unknown[] };
  if ($ref) return hasWarnings(document.components.schemas![$ref.split('/').at(-1)!]);
  return anyOf ? anyOf.every(hasWarnings) : properties !== undefined && 'warnings' in properties;
}

/** The examples of a body as a whole; of several kinds of body, those of the first. */
function examplesOf(node: unknown): object[] {
  const { $ref, examples, anyOf } = node as { $ref?: string; examples?: object[]; anyOf?: unknown[] };
  if ($ref) return examplesOf(document.components.schemas![$ref.split('/').at(-1)!]);
  return examples ?? (anyOf ? examplesOf(anyOf[0]) : []);
}
