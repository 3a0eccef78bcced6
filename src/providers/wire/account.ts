import { createHash } from 'node:crypto';
import type { ModelChoice } from '#providers/provider-definition.js';

/**
 * Identifies the address and the key of requests. Headers of an agent may contain its own key: they make a separate
 * account, of which only a digest is kept.
 */
export function accountOf(provider: string, baseUrl: string, { headers = {}, owner }: ModelChoice): string {
  const place = `${provider} ${baseUrl}`;
  if (Object.keys(headers).length === 0) return place;
  // The same secret name in another workspace is another secret.
  const key = JSON.stringify([owner?.workspace ?? null, headers]);
  return `${place} ${createHash('sha256').update(key).digest('base64url')}`;
}

/** True if the key and the address are the operator's. */
export function isOperatorsAccount({ headers = {} }: ModelChoice): boolean {
  return Object.keys(headers).length === 0;
}
