/** Scopes of a credential. `admin` includes all others; `read` allows no change. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The holder of a valid credential. Records are only looked up within its `workspace`. */
export interface Principal {
  /** `key_…`, `env:<hash prefix>` for a key of `API_KEYS`, or the `sub` of a token. */
  id: string;
  type: 'api_key' | 'jwt';
  name: string;
  workspace: string;
  scopes: readonly Scope[];
  /** Epoch milliseconds, null for a key that does not expire. */
  expiresAt: number | null;
}

/** The workspace of credentials that name none. */
export const DEFAULT_WORKSPACE = 'default';

/** True for a valid name of a workspace. */
export function isWorkspace(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}
