import { unreachedError } from '#calls/record/ended-reason.js';
import type { RecipientReason } from './batch.js';

/** A sentence on why a number was not reached; null for calls that were reached or are still to come. */
export function errorOf(reason: RecipientReason | null): string | null {
  if (reason === null) return null;
  if (reason === 'duplicate') return 'the number is in the batch twice';
  if (reason === 'batch_aborted') return 'the batch was given up';
  return unreachedError(reason);
}
