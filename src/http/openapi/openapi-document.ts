/** The parts of an OpenAPI document that `withWebhooks`, `finishDocument` and its steps use. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** Requests that the service sends, by event type: each is an operation of the receiver. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas?: Record<string, unknown>; [part: string]: unknown };
  tags?: { name: string }[];
  [part: string]: unknown;
}

/** One operation of the document: a method of a path, or the receipt of an event. */
export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      headers?: object;
      content?: Record<string, { schema: unknown; examples?: object }>;
    }
  >;
}
