import { z } from 'zod';

/** Free-form JSON of a client, stored and returned unchanged. */
export const FreeForm = z.record(z.string(), z.unknown());
export type FreeForm = z.infer<typeof FreeForm>;
