/** As much of an OpenAPI document as the finishing steps look at. */
export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  /** What the service sends: an operation of the receiver for each. */
  webhooks?: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas?: Record<string, unknown>; [part: string]: unknown };
  tags?: { name: string }[];
  [part: string]: unknown;
}

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
