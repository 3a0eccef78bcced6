import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ModuleContext } from '#store/module-context.js';
import { hashApiKey } from '#access/keys/api-key.js';
import { DEFAULT_WORKSPACE, type Principal } from '#access/keys/principal.js';
import { sessionTransactions, type SessionRow } from './session-store.js';

/** A valid console session. */
export interface Session {
  principal: Principal;
  /** The console sends it as `X-CSRF-Token` with every write. */
  csrfToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A new session. */
export interface OpenedSession extends Session {
  /** The value of the cookie; only its hash is stored. */
  token: string;
}

/**
 * Console sessions: the browser exchanges an API key, or the link that a local start prints, for a cookie. The routes
 * of the console open and close sessions; requests with a cookie are authenticated by `find`.
 */
export interface Sessions {
  /** Opens a session for a verified API key. */
  open(key: string, principal: Principal): Promise<OpenedSession>;
  /** Creates the secret of a link that opens one session with all scopes; null if links are not allowed. */
  mintLink(): string | null;
  /** Opens the session of a link; null for an unknown or used link. */
  openByLink(secret: string): Promise<OpenedSession | null>;
  /** The session of a cookie; null if it has expired or was closed, or if its key is no longer valid. */
  find(token: string): Promise<Session | null>;
  /** Closes the session of a cookie. */
  close(token: string): Promise<void>;
}

/** The dependencies of {@link Sessions}. */
export interface SessionParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids'> {
  /** The principal of a key by its SHA-256; null for an unknown, revoked or expired key. */
  holderOfHash(keyHash: string): Promise<Principal | null>;
  /** True if links may open sessions, in the environment `local` only. */
  allowsLinks: boolean;
}

/** The longest duration of a session; a session of a key ends with the key. */
const SESSION_MS = 12 * 3_600_000;
/** The random bytes of a session token and of a link's secret. */
const SECRET_BYTES = 32;
/** The form of a link's secret. */
const LINK = /^cl_[\w-]{43}$/;
/** How long a cached session is used: it may work this long after another process has closed it. */
const FRESH_MS = 1_000;
const MOST_CACHED = 10_000;

/** The principal of a session that was opened by a link: it has every right in the default workspace. */
const LINK_PRINCIPAL: Principal = {
  id: 'console',
  type: 'api_key',
  name: 'Console link',
  workspace: DEFAULT_WORKSPACE,
  scopes: ['admin'],
  expiresAt: null,
};

/** True for a text in the form of a link's secret. */
export function isLinkSecret(text: string): boolean {
  return LINK.test(text);
}

/** A session from the database, and when it was read (monotonic milliseconds). */
interface CachedRow {
  row: Promise<SessionRow | null>;
  readMs: number;
}

/** Creates the console sessions in the store, with a cache: a busy page costs one read a second. */
export function createSessions(parts: SessionParts): Sessions {
  const { store, clock, ids } = parts;
  const cache = new LRUCache<string, CachedRow>({ max: MOST_CACHED });
  /** The hashes of unused links. They are lost with the process, which prints another link at its next start. */
  const links = new Set<string>();

  const read = (tokenHash: string): Promise<SessionRow | null> => {
    const cached = cache.get(tokenHash);
    if (cached && clock.monotonicMs() - cached.readMs < FRESH_MS) return cached.row;
    const row = store.read(sessionTransactions.find, { tokenHash });
    cache.set(tokenHash, { row, readMs: clock.monotonicMs() });
    // A failed read says nothing about the session: it is not cached.
    row.catch(() => cache.delete(tokenHash));
    return row;
  };

  const open = async (keyHash: string | null, principal: Principal): Promise<OpenedSession> => {
    const token = ids.secret(SECRET_BYTES).toString('base64url');
    const createdAt = clock.wallMs();
    const expiresAt = Math.min(createdAt + SESSION_MS, principal.expiresAt ?? Infinity);
    await store.write(sessionTransactions.create, {
      session: {
        token_hash: hashSessionToken(token),
        key_hash: keyHash,
        created_at: createdAt,
        expires_at: expiresAt,
      },
    });
    return { token, principal, csrfToken: csrfTokenOf(token), expiresAt };
  };

  return {
    open: (key, principal) => open(hashApiKey(key), principal),
    mintLink() {
      if (!parts.allowsLinks) return null;
      const secret = `cl_${ids.secret(SECRET_BYTES).toString('base64url')}`;
      links.add(hashSessionToken(secret));
      return secret;
    },
    async openByLink(secret) {
      return links.delete(hashSessionToken(secret)) ? open(null, LINK_PRINCIPAL) : null;
    },
    async find(token) {
      const row = await read(hashSessionToken(token));
      if (!row || row.expires_at <= clock.wallMs()) return null;
      const linkPrincipal = parts.allowsLinks ? LINK_PRINCIPAL : null;
      const principal = row.key_hash === null ? linkPrincipal : await parts.holderOfHash(row.key_hash);
      return principal && { principal, csrfToken: csrfTokenOf(token), expiresAt: row.expires_at };
    },
    async close(token) {
      const tokenHash = hashSessionToken(token);
      await store.write(sessionTransactions.remove, { tokenHash });
      cache.delete(tokenHash);
    },
  };
}

/** The stored form of a session token. The token has 256 random bits, so a plain hash is safe. */
function hashSessionToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/**
 * The CSRF token of a session: a hash of the session token. Other sites cannot compute it, because they cannot read the
 * session token; the hash does not reveal that token.
 */
function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf ${token}`, 'base64url');
}
