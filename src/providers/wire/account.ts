import { createHash } from 'node:crypto';
import type { ModelChoice } from '#providers/provider-definition.js';

/**
 * A name for where requests go and with whose key. An agent's headers may carry a key of its own: they make an account
 * of their own, of which only a digest is kept.
 */
export function accountOf(provider: string, baseUrl: string, { headers = {}, owner }: ModelChoice): string {
  const place = `${provider} ${baseUrl}`;
  if (Object.keys(headers).length === 0) return place;
  // The same name is another secret in another workspace.
  const key = JSON.stringify([owner?.workspace ?? null, headers]);
  return `${place} ${createHash('sha256').update(key).digest('base64url')}`;
}

/** Whether key and address are the operator's alone. */
export function isOperatorsAccount({ headers = {} }: ModelChoice): boolean {
  return Object.keys(headers).length === 0;
}
