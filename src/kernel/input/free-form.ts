import { z } from 'zod';

/** Data of a client in any form: kept, and returned unchanged. */
export const FreeForm = z.record(z.string(), z.unknown());
export type FreeForm = z.infer<typeof FreeForm>;
