import type { FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { compiledOnUse } from './compiled-schema.js';

/**
 * The server's serialiser of responses: parses a response by its zod schema, which validates it and leaves unknown
 * fields out, and writes it as JSON. The library's own serialiser encodes by the schema (`z.encode`), for which zod has
 * no fast path; for the schemas of responses, parsing gives the same result.
 */
export const serializeWithZod: FastifySerializerCompiler<z.ZodType> = (route) => {
  const { schema, method, url } = route;
  if (!(schema instanceof z.ZodType)) return serializerCompiler(route);
  const compiled = compiledOnUse(schema);
  return (data) => {
    const result = compiled().safeParse(data);
    if (result.success) return JSON.stringify(result.data);
    throw new ResponseSerializationError(method, url, { cause: result.error });
  };
};
