import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '#http/openapi/openapi-document.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp, type App } from '#app/app.js';
import { readConfig } from '#config/read-config.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { RequestMaker, type FuzzRequest } from '#test/support/openapi-fuzz.js';
import { cases } from '#test/support/tier.js';

interface AnswerToCheck {
  statusCode: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Validates answers against an OpenAPI document. */
class AnswerChecker {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    // A CommonJS plugin: its types and its run-time exports disagree.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addSchema(document, 'api');
  }

  /** Why an answer of an operation is not as documented; null if it is. */
  complaint(path: string, method: string, answer: AnswerToCheck): string | null {
    const responses = this.#document.paths[path]![method]!.responses;
    const documented = responses[String(answer.statusCode)];
    if (!documented) return `status ${answer.statusCode} is not documented`;
    if (!documented.content) return null;
    const type = String(answer.headers['content-type']).split(';', 1)[0]!;
    if (!documented.content[type]) return `content type ${type} is not documented for ${answer.statusCode}`;
    if (type !== 'application/json') return null;
    const pointer = [
      'paths',
      path,
      method,
      'responses',
      String(answer.statusCode),
      'content',
      type,
      'schema',
    ];
    return this.#mismatch(pointer, JSON.parse(answer.body));
  }

  /** Why an error without an operation is not as documented; null if it is. */
  problemComplaint(answer: AnswerToCheck): string | null {
    return this.#mismatch(['components', 'schemas', 'Problem'], JSON.parse(answer.body));
  }

  #mismatch(pointer: readonly string[], value: unknown): string | null {
    const steps = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')));
    const reference = `api#/${steps.join('/')}`;
    const validate = this.#compiled.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#compiled.set(reference, validate);
    return validate(value)
      ? null
      : `the body does not fit its schema: ${this.#ajv.errorsText(validate.errors)}`;
  }
}

const REQUESTS = cases(400, 1_000, 10_000);
/** How often each kind of answer must have come: the requests were not all refused at the door. */
const ENOUGH = cases(2, 5, 50);
const SEED = 20_261_121;
const AT_ONCE = 16;
const KEY = 'a-key-for-fuzzing-1';

let app: App;
let folder: string;

// Nothing listens and nothing dials: calls are accepted into the queue and stay there.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-fuzz-'));
  const config = readConfig({ DATA_DIR: folder, API_KEYS: KEY, RATE_LIMIT_PER_MINUTE: '0', PORT: '0' });
  app = await buildApp(config, { log: createMemoryLog().log });
  await app.server.ready();
});
afterAll(async () => {
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

it(`never answers ${REQUESTS} requests made of its own document with a fault, or otherwise than it documents`, async () => {
  const document = app.server.openApi();
  const maker = new RequestMaker(document, { seed: SEED, key: KEY });
  const checker = new AnswerChecker(document);
  /** What was wrong, with the first request that showed it. */
  const complaints = new Map<string, string>();
  const statuses = new Map<number, number>();

  for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, () => maker.next());
    const answers = await Promise.all(batch.map(send));
    for (const [index, answer] of answers.entries()) {
      const request = batch[index]!;
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      const complaint = complaintAbout(request, answer, checker);
      const complained = `${request.method} ${request.path} ${complaint}`;
      if (complaint && !complaints.has(complained)) complaints.set(complained, exampleOf(request, answer));
      if (answer.statusCode < 300 && isJson(answer)) maker.learn(JSON.parse(answer.body));
    }
  }

  // As text, which is shown whole.
  const told = [...complaints].map((complaint) => complaint.join('\n  ')).slice(0, 20);
  expect(told.join('\n'), `seed ${SEED}`).toBe('');
  for (const status of [200, 201, 400, 401, 404]) expect(statuses.get(status) ?? 0).toBeGreaterThan(ENOUGH);
});

async function send({ method, url, headers, payload }: FuzzRequest): Promise<AnswerToCheck> {
  const options: InjectOptions = { method, url, headers };
  if (payload !== undefined) options.payload = payload;
  return app.server.inject(options);
}

function complaintAbout(request: FuzzRequest, answer: AnswerToCheck, checker: AnswerChecker): string | null {
  // Nothing is dialled here, so that a slow run is not ready at its end, and says so.
  const isNotReady = request.path === '/health/ready' && answer.statusCode === 503;
  if (answer.statusCode >= 500 && !isNotReady) return `is answered ${answer.statusCode}`;
  if (!answer.headers['x-request-id']) return 'has no X-Request-Id';
  if (request.operation) return checker.complaint(request.path, request.operation.method, answer);
  return answer.statusCode >= 400 && isJson(answer) ? checker.problemComplaint(answer) : null;
}

function exampleOf(request: FuzzRequest, answer: AnswerToCheck): string {
  return (
    `${request.url} ${request.payload ?? ''}`.slice(0, 400) +
    ` → ${answer.statusCode} ${answer.body.slice(0, 300)}`
  );
}

function isJson(answer: AnswerToCheck): boolean {
  return answer.body !== '' && String(answer.headers['content-type']).startsWith('application/json');
}
