import type { FastifySerializerCompiler } from 'fastify';
import { ResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { compiledOnUse } from './compiled-schema.js';

/**
 * Writes an answer as its zod schema says: checked, and without what the schema does not name. The library does the
 * same by encoding, for which zod generates no fast path; schemas of answers read and write alike.
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
