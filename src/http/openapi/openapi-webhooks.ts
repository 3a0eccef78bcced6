import { z } from 'zod';
import { LOOKUP_QUESTION_TYPE, lookupAnswer, lookupQuestion } from '#calls/inbound/lookup-question.js';
import { EVENT_CATALOGUE, NOTIFICATION_CATALOGUE } from '#events/event-catalogue.js';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.js';

const ENTRIES = [...EVENT_CATALOGUE, ...NOTIFICATION_CATALOGUE];

/** The headers of every request to a customer. */
const HEADERS: readonly (readonly [name: string, description: string])[] = [
  ['X-Service-Signature', 'Hex HMAC-SHA256 of the raw body, with the secret as key.'],
  ['webhook-id', 'The `webhook_id` of the body; in a lookup of an incoming call, its `call_id`.'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.'],
  [
    'webhook-signature',
    'Signatures of the Standard Webhooks specification: `v1,` and base64, separated by spaces.',
  ],
];
const PARAMETERS = HEADERS.map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/**
 * Adds the requests that the service sends to its customers to the OpenAPI document: an entry of `webhooks` for each
 * event type, from the schemas of the catalogue, and one for the lookup about an incoming call. Used by the `openApi`
 * plugin.
 */
export function withWebhooks(document: OpenApiDocument): OpenApiDocument {
  const { components } = document;
  return {
    ...document,
    components: { ...components, schemas: { ...components.schemas, ...webhookSchemas() } },
    webhooks: {
      ...Object.fromEntries(ENTRIES.map((entry) => [entry.type, { post: operationOf(entry) }])),
      [LOOKUP_QUESTION_TYPE]: { post: LOOKUP },
    },
  };
}

function contentOf(schemaId: string) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schemaId}` } } };
}

const LOOKUP: OpenApiOperation = {
  operationId: 'answerIncomingCallQuestion',
  summary: LOOKUP_QUESTION_TYPE,
  description:
    'Sent to the `lookup_url` of the called number, or else of its agent, while the call rings. ' +
    'Without a usable response within two seconds the call goes on without it, and its events ' +
    'include `lookup_failed`.',
  tags: ['Webhooks'],
  security: [],
  parameters: PARAMETERS,
  requestBody: { required: true, content: contentOf('IncomingCallQuestion') },
  responses: {
    '2XX': {
      description: 'The agent and the variables; without a body, nothing changes.',
      content: contentOf('IncomingCallAnswer'),
    },
  },
};

function operationOf({ type, description, schemaId }: (typeof ENTRIES)[number]): OpenApiOperation {
  return {
    operationId: `receive${schemaId}`,
    summary: type,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: PARAMETERS,
    requestBody: { required: true, content: contentOf(schemaId) },
    responses: {
      '2XX': { description: 'The receiver has accepted it.' },
      '408': { description: 'It is retried, as after 425, 429 and 5XX.' },
      '410': { description: 'The webhook is switched off.' },
      '4XX': { description: 'It is not retried.' },
    },
  };
}

/** The JSON schemas of every event and of its data, and of the lookup's request and answer, by schema id. */
function webhookSchemas(): Record<string, unknown> {
  // A registry of its own, so that only these schemas are converted.
  const registry = z.registry<{ id?: string | undefined }>();
  for (const { schema } of ENTRIES) {
    for (const namedSchema of [schema, schema.shape['data'] as z.ZodType]) {
      registry.add(namedSchema, { ...namedSchema.meta() });
    }
  }
  for (const namedSchema of [lookupQuestion, lookupAnswer])
    registry.add(namedSchema, { ...namedSchema.meta() });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: 'output' });
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const { $schema: _draft, $id: _id, id: _name, ...rest } = schema as Record<string, unknown>;
    return [name, rest];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
