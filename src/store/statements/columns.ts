import { z } from 'zod';

// Schemas of columns that both engines store in the same way, for the row schemas of the modules.

/** A boolean column: 0 or 1 in the database, true or false in TypeScript. */
export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A JSON column: text in the database, parsed and validated in TypeScript. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        // Invalid JSON is an issue of the schema, so that `safeParse` does not throw.
        context.addIssue({ code: 'custom', message: 'is not valid JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** A boolean as an SQL value. */
export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
