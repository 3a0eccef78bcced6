/*
 * The principal: the sender of a request, as identified by its credential, with the workspace and the rights of the
 * request. Workspaces separate the data of several customers of one service.
 */

/** Scopes of a credential. `admin` includes all others; `read` allows no change. */
export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The holder of a valid credential. All records are looked up within the workspace of the principal. */
export interface Principal {
  /** `key_…` for an API key, `env:<hash prefix>` for a key of `API_KEYS`, or the `sub` of a JWT. */
  id: string;
  type: 'api_key' | 'jwt';
  name: string;
  workspace: string;
  scopes: readonly Scope[];
  /** When the credential expires (epoch milliseconds); null if it does not. */
  expiresAt: number | null;
}

/** The workspace of credentials that name none. */
export const DEFAULT_WORKSPACE = 'default';

/** True for a valid name of a workspace. */
export function isWorkspace(text: string): boolean {
  return /^[\w.:-]{1,64}$/.test(text);
}
