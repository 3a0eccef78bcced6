import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';
import { systemClock } from '#kernel/time/clock.js';
import { OPENAPI_FILE } from '../../../tools/openapi.mjs';
import { buildTestService, type TestService } from '#test/support/test-service.js';

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

/** The examples of a body as a whole; of several kinds of body, those of the first. */
function examplesOf(node: unknown): object[] {
  const { $ref, examples, anyOf } = node as { $ref?: string; examples?: object[]; anyOf?: unknown[] };
  if ($ref) return examplesOf(document.components.schemas![$ref.split('/').at(-1)!]);
  return examples ?? (anyOf ? examplesOf(anyOf[0]) : []);
}
