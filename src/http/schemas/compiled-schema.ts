import { z } from 'zod';

/**
 * A schema with the fast path that zod generates for it. Data that fits takes that path; data that does not goes
 * through the usual parser, so errors stay the same. Generating takes milliseconds, so it waits for the first use.
 */
export function compiledOnUse<Schema extends z.ZodType>(schema: Schema): () => Schema {
  let compiled: Schema | null = null;
  return () => (compiled ??= z.compile(schema));
}
