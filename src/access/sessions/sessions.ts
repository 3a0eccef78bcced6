import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashApiKey } from '#access/keys/api-key.js';
import { DEFAULT_WORKSPACE, type Principal } from '#access/keys/principal.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { sessionUnits, type SessionRow } from './session-store.js';

/** A session of the console that is in force. */
export interface Session {
  principal: Principal;
  /** What writes must carry in `X-CSRF-Token`. */
  csrfToken: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A session that was just opened; its token is given out here only. */
export interface OpenedSession extends Session {
  token: string;
}

/** Sessions of the console: an API key, or the link of a local start, exchanged for a cookie. */
export interface Sessions {
  /** Opens a session for the holder of an API key that was found good. */
  open(key: string, principal: Principal): Promise<OpenedSession>;
  /** A secret that opens one session with every right; null where there are no such links. */
  mintLink(): string | null;
  /** Opens the session of a link; null for an unknown or used one. */
  openByLink(secret: string): Promise<OpenedSession | null>;
  /** The session of a cookie; null once it has expired or was closed, or its key is no longer good. */
  find(token: string): Promise<Session | null>;
  close(token: string): Promise<void>;
}

export interface SessionParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** The holder of the key with a SHA-256; null when the key is unknown, revoked or expired. */
  holderOfHash(keyHash: string): Promise<Principal | null>;
  /** Whether links may open sessions: in local only. */
  allowsLinks: boolean;
}

const SESSION_MS = 12 * 3_600_000;
const SECRET_BYTES = 32;
const LINK = /^cl_[\w-]{43}$/;
/** For how long a process may serve a session that another one has closed. */
const FRESH_MS = 1_000;
const MOST_CACHED = 10_000;

/** The scopes of a session that the printed link of a local start opens. */
const BY_LINK: Principal = {
  id: 'console',
  type: 'api_key',
  name: 'Console link',
  workspace: DEFAULT_WORKSPACE,
  scopes: ['admin'],
  expiresAt: null,
};

/** Whether a text looks like the secret of a link. */
export function isLinkSecret(text: string): boolean {
  return LINK.test(text);
}

interface CachedRow {
  row: Promise<SessionRow | null>;
  readMs: number;
}

/** Sessions over the store. A busy page costs one look-up a second. */
export function createSessions(parts: SessionParts): Sessions {
  const { store, clock, ids } = parts;
  const cache = new LRUCache<string, CachedRow>({ max: MOST_CACHED });
  const links = new Set<string>();

  const read = (tokenHash: string): Promise<SessionRow | null> => {
    const cached = cache.get(tokenHash);
    if (cached && clock.monotonicMs() - cached.readMs < FRESH_MS) return cached.row;
    const row = store.read(sessionUnits.find, { tokenHash });
    cache.set(tokenHash, { row, readMs: clock.monotonicMs() });
    row.catch(() => cache.delete(tokenHash));
    return row;
  };

  const open = async (keyHash: string | null, principal: Principal): Promise<OpenedSession> => {
    const token = ids.secret(SECRET_BYTES).toString('base64url');
    const createdAt = clock.wallMs();
    const expiresAt = Math.min(createdAt + SESSION_MS, principal.expiresAt ?? Infinity);
    await store.write(sessionUnits.create, {
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
      return links.delete(hashSessionToken(secret)) ? open(null, BY_LINK) : null;
    },
    async find(token) {
      const row = await read(hashSessionToken(token));
      if (!row || row.expires_at <= clock.wallMs()) return null;
      const byLink = parts.allowsLinks ? BY_LINK : null;
      const principal = row.key_hash === null ? byLink : await parts.holderOfHash(row.key_hash);
      return principal && { principal, csrfToken: csrfTokenOf(token), expiresAt: row.expires_at };
    },
    async close(token) {
      const tokenHash = hashSessionToken(token);
      await store.write(sessionUnits.remove, { tokenHash });
      cache.delete(tokenHash);
    },
  };
}

/** The stored form of a session id. The id has 256 random bits, so a plain hash cannot be reversed by trying. */
function hashSessionToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Made of the cookie, which no other page can read, and tells nothing of it. */
function csrfTokenOf(token: string): string {
  return hash('sha256', `csrf ${token}`, 'base64url');
}
