import { hashApiKey } from './api-key.js';
import { DEFAULT_WORKSPACE, type Principal } from './principal.js';

/**
 * The keys of the setting `API_KEYS`: any texts of at least 16 characters, with every right in the default workspace.
 * They are looked up by hash, so the time it takes tells nothing about how much of a guess was right.
 */
export function createBootstrapKeys(keys: readonly string[]): { holderOf(key: string): Principal | null } {
  const holders = new Map(keys.map((key) => [hashApiKey(key), toPrincipal(key)]));
  if (holders.size === 0) return { holderOf: () => null };
  return { holderOf: (key) => holders.get(hashApiKey(key)) ?? null };
}

function toPrincipal(key: string): Principal {
  return {
    id: `env:${hashApiKey(key).slice(0, 12)}`,
    type: 'api_key',
    name: 'Key of the setting API_KEYS',
    workspace: DEFAULT_WORKSPACE,
    scopes: ['admin'],
    expiresAt: null,
  };
}
