import { unreachedError } from '#calls/record/ended-reason.js';
import type { RecipientReason } from './batch.js';

/** Why nobody was reached, for people; null for calls that were, or are yet to come. */
export function errorOf(reason: RecipientReason | null): string | null {
  if (reason === null) return null;
  if (reason === 'duplicate') return 'the number is in the batch twice';
  if (reason === 'batch_aborted') return 'the batch was given up';
  return unreachedError(reason);
}
