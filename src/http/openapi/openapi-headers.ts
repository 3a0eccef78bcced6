import type { OpenApiDocument } from './openapi-document.js';

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

/** The headers that the document gives to all responses with one of these statuses. */
const HEADERS_OF_STATUS: Readonly<Record<string, Record<string, HeaderDescription>>> = {
  201: header('Location', 'string', 'The path of the new resource.'),
  401: header('WWW-Authenticate', 'string', 'The authentication scheme to use.'),
  429: header('Retry-After', 'integer', 'Seconds to wait before trying again.'),
  503: header('Retry-After', 'integer', 'Seconds to wait before trying again.'),
};

/** Adds {@link HEADERS_OF_STATUS} to each response with one of these statuses, in place: a step of `finishDocument`. */
export function describeHeaders(document: OpenApiDocument): void {
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        const headers = HEADERS_OF_STATUS[status];
        if (headers) response.headers = headers;
      }
    }
  }
}

function header(name: string, type: string, description: string): Record<string, HeaderDescription> {
  return { [name]: { description, schema: { type } } };
}
