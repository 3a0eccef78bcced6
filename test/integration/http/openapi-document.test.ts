import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument, OpenApiOperation } from '#http/openapi/openapi-document.js';
import { problemBody } from '#http/problems/problem-body.js';
import { PROBLEMS } from '#kernel/errors/errors.js';
import { FIELD_DESCRIPTIONS } from '#http/openapi/openapi-fields.js';
import { OPENAPI_FILE } from '../../../tools/openapi.mjs';

const OPENAPI_TOOL = fileURLToPath(new URL('../../../tools/openapi.mjs', import.meta.url));

let present: string;
let document: OpenApiDocument;
let operations: [string, OpenApiOperation][];

beforeAll(async () => {
  // In a process of its own: the built service registers its schemas under the names that ours have.
  present = execFileSync('node', [OPENAPI_TOOL, '--print'], { encoding: 'utf8', maxBuffer: 64e6 });
  document = JSON.parse(present) as OpenApiDocument;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, OpenApiOperation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});

/** What tells a reader of a schema which values it has. */
const TYPED_BY = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'const', 'enum'];

/** Every field of every object of a document, with its schema. */
function propertiesIn(node: unknown, path = ''): [string, object][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === 'example' || key === 'examples') return [];
    const own: [string, object][] =
      key === 'properties' && typeof value === 'object'
        ? Object.entries(value ?? {}).map(([name, schema]) => [`${path}.${name}`, schema as object])
        : [];
    return [...own, ...propertiesIn(value, `${path}/${key}`)];
  });
}

describe('openapi.json', () => {
  it('is what the routes say (`npm run openapi` writes it anew)', async () => {
    const committed = await readFile(OPENAPI_FILE, 'utf8');
    expect(committed === present, 'openapi.json is out of date: run `npm run openapi`').toBe(true);
  });

  it('has a use for every text that fields share', () => {
    const unused = Object.values(FIELD_DESCRIPTIONS).filter(
      (meaning) => !present.includes(JSON.stringify(meaning)),
    );
    expect(unused).toEqual([]);
  });

  it('gives every field a type, also where a request may leave it out and a response never does', () => {
    const untyped = propertiesIn(document).filter(([, schema]) => TYPED_BY.every((key) => !(key in schema)));
    expect(untyped.map(([name]) => name)).toEqual([]);
  });

  it('describes every operation of the interface', () => {
    expect(operations.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'POST /batch/schedule-call',
        'PUT /batch/scheduled-calls/{call_id}',
        'GET /batch/scheduled-calls/{call_id}',
        'DELETE /batch/scheduled-calls/{call_id}',
        'POST /outbound-call',
        'POST /voice',
        'POST /api/calls',
        'GET /api/calls/{call_id}',
        'GET /api/calls/{call_id}/recording',
        'GET /api/calls/{call_id}/transcript',
        'POST /api/calls/{call_id}/disconnect',
        'POST /api/agents',
        'POST /api/scheduled-calls',
        'POST /api/scheduled-calls/recurring',
        'GET /api/scheduled-calls',
        'GET /api/scheduled-calls/{schedule_id}',
        'PUT /api/scheduled-calls/{schedule_id}',
        'DELETE /api/scheduled-calls/{schedule_id}',
        'POST /api/scheduled-calls/{schedule_id}/pause',
        'POST /api/scheduled-calls/{schedule_id}/resume',
        'GET /api/scheduled-calls/{schedule_id}/history',
        'GET /api/scheduler/health',
        'POST /webhook/{provider}/{kind}',
        'POST /v1/webhooks',
        'PUT /v1/webhooks/{webhook_id}',
        'GET /v1/webhooks/logs',
        'GET /health',
      ]),
    );
  });

  it('says of every operation what it is, who may use it and how it may fail', () => {
    for (const [name, operation] of operations) {
      expect(operation.operationId, name).toBeTruthy();
      expect(operation.summary, name).toBeTruthy();
      expect(operation.description, name).toBeTruthy();
      expect(operation.tags, name).toHaveLength(1);
      expect(document.tags?.map((tag) => tag.name)).toContain(operation.tags?.[0]);
      expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['400', '500', '503']));
      const isOpen = operation.security?.length === 0;
      if (!isOpen)
        expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['401', '403']));
    }
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('promises a time to try again of problems only, and the path of everything that is made', () => {
    for (const [name, { responses }] of operations)
      for (const [status, { headers = {}, content = {} }] of Object.entries(responses)) {
        const isProblem = JSON.stringify(content).includes('#/components/schemas/Problem"');
        expect('Retry-After' in headers, `${name} ${status}`).toBe(isProblem && /^(?:429|503)$/.test(status));
        expect('Location' in headers, `${name} ${status}`).toBe(status === '201');
      }
  });

  it('says of every field what it means', () => {
    expect(undescribedIn(document.components.schemas, '')).toEqual([]);
  });

  it('tells no state that is never shown: a run that is held back counts as pending', () => {
    const { Execution } = JSON.parse(present).components.schemas;
    expect(JSON.stringify(Execution)).not.toContain('"held"');
  });

  it('closes what refuses unknown fields, and nothing else', () => {
    const schemas = (document.components.schemas ?? {}) as Record<string, { type?: string }>;
    const isPlaybooks = (id: string) => id.startsWith('Playbook') && schemas[id]!.type === 'object';
    const ids = Object.keys(schemas);
    const closed = ids.filter((id) => /"additionalProperties":false/.test(JSON.stringify(schemas[id])));
    // These are one of several objects, each of them closed.
    const unions = new Set(['PlaybookExpectation', 'PlaybookCollected']);
    expect(closed.filter((id) => !unions.has(id))).toEqual(ids.filter(isPlaybooks));
  });

  it('has an example of every request and every answer in JSON', () => {
    const without = operations.flatMap(([name, operation]) => {
      const answers = Object.entries(operation.responses).map(([status, { content }]) => [
        `${name} ${status}`,
        content,
      ]);
      const bodies = [[`${name} body`, operation.requestBody?.content], ...answers] as [
        string,
        Record<string, { schema: unknown }> | undefined,
      ][];
      return bodies
        .filter(
          ([, content]) => content?.['application/json'] && !hasExample(content['application/json'].schema),
        )
        .map(([where]) => where);
    });
    expect(without).toEqual([]);
  });

  it('has an example of every error that is one of its status, and of no field that the request has not', () => {
    let seen = 0;
    for (const [name, { responses, requestBody, parameters = [] }] of operations) {
      const asked = JSON.stringify([requestBody, parameters, referredTo(requestBody)]);
      for (const [status, { content }] of Object.entries(responses)) {
        const { schema } = content?.['application/json'] ?? { schema: {} };
        if ((schema as { $ref?: string }).$ref !== '#/components/schemas/Problem') continue;
        const { details, ...shown } = problemBody.parse(exampleOf(name, status));
        expect(shown.status, name).toBe(Number(status));
        const { status: kept } = PROBLEMS[shown.code];
        expect([408, 431].includes(shown.status) ? 400 : kept, name).toBe(
          shown.code === 'validation_error' ? 400 : shown.status,
        );
        for (const { field } of details)
          expect(asked, `${name} ${field}`).toContain(field.replace(/^query\.|\[0\].*/g, ''));
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(500);
    expect(exampleOf('POST /api/calls', 400)).toMatchObject({ error: 'invalid phone number format' });
    expect(exampleOf('POST /api/calls', 404)).toMatchObject({ error: 'agent does not exist' });
    expect(exampleOf('GET /api/calls/{call_id}', 404)).toMatchObject({ code: 'call_not_found' });
  });

  it('says in which types a list is taken, and what each of them holds', () => {
    const contentOf = (name: string) => new Map(operations).get(name)?.requestBody?.content ?? {};
    const named = (id: string) => ({ schema: { $ref: `#/components/schemas/${id}` } });
    const text = {
      schema: expect.objectContaining({ type: 'string' }),
      example: expect.stringContaining('+15550100001'),
    };
    expect(contentOf('POST /api/batches/import')).toEqual({
      'text/csv': text,
      'multipart/form-data': named('BatchImportForm'),
    });
    expect(contentOf('POST /api/suppressions/import')).toEqual({
      'application/json': named('SuppressionImport'),
      'text/csv': text,
      'text/plain': text,
      'multipart/form-data': named('SuppressionImportForm'),
    });
    for (const form of ['BatchImportForm', 'SuppressionImportForm']) {
      const schema = { properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] };
      expect(document.components.schemas![form], form).toMatchObject(schema);
    }
  });

  it('names the fields of a batch in the query of an import, whose body has only the table', () => {
    const fields = Object.keys(
      (document.components.schemas!['BatchRequest'] as { properties: object }).properties,
    );
    const { parameters = [] } = new Map(operations).get('POST /api/batches/import')!;
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(inQuery.toSorted()).toEqual(
      ['dry_run', ...fields.filter((field) => field !== 'to_number')].toSorted(),
    );
  });

  it('asks for no body where none is needed', () => {
    const free = operations.filter(([, { requestBody }]) => requestBody && requestBody.required !== true);
    expect(free.map(([name]) => name)).toEqual([
      'POST /v1/webhooks/{webhook_id}/rotate-secret',
      'POST /v1/webhooks/{webhook_id}/test',
    ]);
  });

  it('names a schema twice only where what is asked differs from what is answered', () => {
    const schemas = document.components.schemas!;
    const asked = Object.keys(schemas).filter((name) => name.endsWith('Input'));
    for (const name of asked) expect(schemas[name]).not.toEqual(schemas[name.slice(0, -'Input'.length)]);
    expect(asked).toEqual([]);
    expect(Object.keys(schemas)).toContain('Problem');
  });
});

/** What an operation shows of an error with this status. */
function exampleOf(name: string, status: number | string): unknown {
  const { content } = new Map(operations).get(name)!.responses[status]!;
  const [example] = Object.values(content!['application/json']!.examples ?? {}) as { $ref: string }[];
  const { examples = {} } = document.components as { examples?: Record<string, { value: unknown }> };
  return examples[example!.$ref.split('/').at(-1)!]!.value;
}

/** The schemas that a body is made of, as it names them. */
function referredTo(body: OpenApiOperation['requestBody']): unknown[] {
  return Object.values(body?.content ?? {}).map(
    ({ schema }) =>
      document.components.schemas![
        String((schema as { $ref?: string }).$ref)
          .split('/')
          .at(-1)!
      ],
  );
}

/** The fields of a schema, and of those in it, that nothing is said about. */
function undescribedIn(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { examples: _examples, ...schema } = node as Record<string, unknown>;
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, object>);
  const silent = fields.filter(([, field]) => !isDescribed(field)).map(([name]) => `${path}.${name}`);
  const below = Object.entries(schema).flatMap(([key, child]) => undescribedIn(child, `${path}/${key}`));
  return [...silent, ...below];
}

function isDescribed(field: object): boolean {
  const { anyOf = [] } = field as { anyOf?: object[] };
  return 'description' in field || '$ref' in field || anyOf.some(isDescribed);
}

/** An example of its own, or of something in it. */
function hasExample(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { $ref, examples, properties, items, anyOf } = schema as {
    $ref?: string;
    examples?: unknown[];
    properties?: Record<string, unknown>;
    items?: unknown;
    anyOf?: unknown[];
  };
  if ($ref !== undefined) return hasExample(document.components.schemas![$ref.split('/').at(-1)!]);
  const parts = [items, ...(anyOf ?? []), ...Object.values(properties ?? {})];
  return (examples?.length ?? 0) > 0 || parts.some(hasExample);
}
