import { createHash } from 'node:crypto';
import type { ModelChoice } from '#providers/provider-definition.js';

/**
 * Identifies the address and the key of a model's requests, so that an outage of one account leaves others in use.
 * Headers of an agent may contain the agent's own key: they make a separate account, named by a digest of the headers.
 * Used by every provider of language models.
 */
export function modelAccountOf(
  provider: string,
  baseUrl: string,
  { headers = {}, owner }: ModelChoice,
): string {
  const address = `${provider} ${baseUrl}`;
  if (Object.keys(headers).length === 0) return address;
  // The same secret name in another workspace is another secret.
  const key = JSON.stringify([owner?.workspace ?? null, headers]);
  return `${address} ${createHash('sha256').update(key).digest('base64url')}`;
}

/** True if a model is used with the operator's key, which only a restart changes. */
export function usesOperatorsAccount({ headers = {} }: ModelChoice): boolean {
  return Object.keys(headers).length === 0;
}
