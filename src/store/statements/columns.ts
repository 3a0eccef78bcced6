import { z } from 'zod';

/** A boolean column: 0 or 1 in the database, true or false in TypeScript. */
export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** A JSON column: text in the database, parsed and checked in TypeScript. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        // A row that cannot be read is a finding like any other, not an exception to whoever asks carefully.
        context.addIssue({ code: 'custom', message: 'is not valid JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** What a boolean is bound as. */
export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
