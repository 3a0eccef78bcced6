import type { FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { compiledOnUse } from './compiled-schema.js';

/**
 * The server's serialiser of responses: validates a response by its zod schema, and leaves unknown fields out. The
 * library's own serialiser encodes the response, for which zod has no fast path. For response schemas, parsing gives
 * the same result.
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
