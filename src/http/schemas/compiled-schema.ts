import { z } from 'zod';

/**
 * A function that returns the schema with the fast path that zod generates for it. Valid data takes the fast path;
 * invalid data takes the normal parser, so errors stay the same. Generating takes milliseconds and is done at the first
 * call. Used to validate requests and to serialise responses.
 */
export function compiledOnUse<Schema extends z.ZodType>(schema: Schema): () => Schema {
  let compiled: Schema | null = null;
  return () => (compiled ??= z.compile(schema));
}
