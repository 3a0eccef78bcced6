/** What a credential may do. `admin` includes everything; `read` includes no change. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is asking, once the credential was found good. Ids of rows are only ever looked up within `workspace`. */
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

/** The workspace of everything that names no other. */
export const DEFAULT_WORKSPACE = 'default';

/** Whether a text can name a workspace. */
export function isWorkspace(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}
