import { hashApiKey } from './api-key.js';
import { DEFAULT_WORKSPACE, type Principal } from './principal.js';

export interface BootstrapKeys {
  holderOf(key: string): Principal | null;
  /** {@link holderOf} for the SHA-256 of a key. */
  holderOfHash(keyHash: string): Principal | null;
}

/**
 * The keys of the setting `API_KEYS`, with all scopes in the default workspace. They are looked up by hash, so that the
 * time of a look-up reveals nothing about a partly right guess.
 */
export function createBootstrapKeys(keys: readonly string[]): BootstrapKeys {
  const holders = new Map(keys.map((key) => [hashApiKey(key), toPrincipal(key)]));
  const holderOfHash = (keyHash: string) => holders.get(keyHash) ?? null;
  if (holders.size === 0) return { holderOf: () => null, holderOfHash };
  return { holderOf: (key) => holderOfHash(hashApiKey(key)), holderOfHash };
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
