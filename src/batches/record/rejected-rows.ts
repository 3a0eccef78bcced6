import { z } from 'zod';

/**
 * An invalid row of an imported table, left out of the batch: its number (1 is the first row of data), field and
 * problem. The value is not stored, as it may be personal data.
 */
export const RejectedRow = z.object({ row: z.int(), field: z.string(), message: z.string() });
export type RejectedRow = z.infer<typeof RejectedRow>;
