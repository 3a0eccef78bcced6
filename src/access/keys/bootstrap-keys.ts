import { hashApiKey } from './api-key.js';
import { DEFAULT_WORKSPACE, type Principal } from './principal.js';

/** The API keys that an operator configures in the setting `API_KEYS`; they are not in the database. */
export interface BootstrapKeys {
  /** The principal of a key; null for any other text. */
  holderOf(key: string): Principal | null;
  /** {@link holderOf} for the SHA-256 of a key. */
  holderOfHash(keyHash: string): Principal | null;
}

/**
 * Creates the keys of the setting `API_KEYS`, with all scopes in the default workspace. A key is looked up by its
 * hash, so that the duration of a look-up reveals nothing about a partly right guess.
 */
export function createBootstrapKeys(keys: readonly string[]): BootstrapKeys {
  const holders = new Map(keys.map((key) => [hashApiKey(key), toPrincipal(key)]));
  const holderOfHash = (keyHash: string) => holders.get(keyHash) ?? null;
  // Without keys, no credential needs to be hashed.
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
