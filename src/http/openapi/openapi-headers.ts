import type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';
import { PROBLEM } from './openapi-problems.js';

/** The header `Idempotency-Key` of `idempotent` routes as JSON Schema; the plugin `replayAnswers` reads the header. */
export const IDEMPOTENCY_HEADER = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description:
        'A key of your choice for this one request. Repeated with the same body within 24 hours, it returns the first ' +
        'response again, with `Idempotent-Replayed: true`, and nothing happens twice.',
      examples: ['order-1001-reminder'],
    },
  },
} as const;

interface HeaderDescription {
  description: string;
  schema: { type: string };
}

/** The headers of every 201. */
const CREATED_HEADERS = header('Location', 'string', 'The path of the new resource.');
/** The headers of problems by status. Other answers with these statuses, such as that of a health check, have none. */
const PROBLEM_HEADERS: Readonly<Record<string, Record<string, HeaderDescription>>> = {
  401: header('WWW-Authenticate', 'string', 'The authentication scheme to use.'),
  429: header('Retry-After', 'integer', 'Seconds to wait before trying again.'),
  503: header('Retry-After', 'integer', 'Seconds to wait before trying again.'),
};

/** Adds the headers of {@link CREATED_HEADERS} and {@link PROBLEM_HEADERS}, in place: a step of `finishDocument`. */
export function describeHeaders(document: OpenApiDocument): void {
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const headers = headersOf(status, response);
        if (headers) response.headers = headers;
      }
    }
  }
}

function headersOf(status: string, { content }: OpenApiOperation['responses'][string]): object | undefined {
  if (status === '201') return CREATED_HEADERS;
  const schema = content?.['application/json']?.schema as { $ref?: string } | undefined;
  return schema?.$ref === PROBLEM ? PROBLEM_HEADERS[status] : undefined;
}

function header(name: string, type: string, description: string): Record<string, HeaderDescription> {
  return { [name]: { description, schema: { type } } };
}
