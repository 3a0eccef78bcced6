import { z } from 'zod';

/** A row of a table that could not become a number of its batch. What stood in it is not kept: it may name a person. */
export const RejectedRow = z.object({ row: z.int(), field: z.string(), message: z.string() });
export type RejectedRow = z.infer<typeof RejectedRow>;
