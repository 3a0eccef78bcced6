import type { FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { compiledOnUse } from './compiled-schema.js';

/**
 * Serialises a response by its zod schema: validated, without unknown fields. The library would encode, for which zod
 * has no fast path; response schemas encode and decode alike.
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
