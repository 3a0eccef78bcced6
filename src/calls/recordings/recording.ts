import { z } from 'zod';

/** A recording as its row holds it: `writing → ready`, and `deleted` from both. */
export const RecordingRow = z.object({
  id: z.string(),
  call_id: z.string(),
  workspace: z.string(),
  status: z.enum(['writing', 'ready', 'deleted']),
  storage: z.string(),
  /** Within the directory of recordings. */
  file_name: z.string(),
  format: z.string(),
  sample_rate: z.number().int(),
  channels: z.number().int(),
  size_bytes: z.number().int(),
  duration_ms: z.number().int(),
  created_at: z.number().int(),
});
export type RecordingRow = z.infer<typeof RecordingRow>;
