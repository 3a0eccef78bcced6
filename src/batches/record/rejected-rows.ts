import { z } from 'zod';

/** A row of a table that was rejected from its batch. Its values are not stored: they may be personal data. */
export const RejectedRow = z.object({ row: z.int(), field: z.string(), message: z.string() });
export type RejectedRow = z.infer<typeof RejectedRow>;
