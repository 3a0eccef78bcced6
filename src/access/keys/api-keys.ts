import { LRUCache } from 'lru-cache';
import type { ModuleContext } from '#store/module-context.js';
import type { Clock } from '#kernel/time/clock.js';
import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import type { Cursor, Page } from '#store/page.js';
import { hashApiKey, hintOfApiKey, isIntact, mintApiKey, type ApiKeyRow } from './api-key.js';
import { apiKeyTransactions, type ApiKeyFilter, type NewApiKey } from './api-key-store.js';
import { DEFAULT_WORKSPACE, type Principal, type Scope } from './principal.js';

/** The dependencies of {@link ApiKeys}. */
export type ApiKeyParts = Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'>;

/** The properties of a new key. */
export interface ApiKeyRequest {
  workspace: string;
  name: string;
  scopes: readonly Scope[];
  /** Epoch milliseconds, null for a key that does not expire. */
  expiresAt: number | null;
}

/** Manages API keys for the API, and verifies them for the authenticator and for console sessions. */
export interface ApiKeys {
  /**
   * Creates a key. Its text is returned once and is not stored.
   * @throws Problem `validation_error` for an `expiresAt` in the past
   */
  create(request: ApiKeyRequest): Promise<{ key: string; row: ApiKeyRow }>;
  /** @throws Problem `api_key_not_found` */
  get(key: { workspace: string; id: string }): Promise<ApiKeyRow>;
  /** The keys of a workspace that were not revoked, newest first. */
  list(filter: ApiKeyFilter, cursor: Cursor | null, limit: number): Promise<Page<ApiKeyRow>>;
  /** @throws Problem `api_key_not_found` */
  revoke(key: { workspace: string; id: string }): Promise<ApiKeyRow>;
  /** The principal of a key; null for an unknown, revoked or expired key. */
  holderOf(key: string): Promise<Principal | null>;
  /** {@link holderOf} for the SHA-256 of a key; console sessions store it in place of the key. */
  holderOfHash(keyHash: string): Promise<Principal | null>;
}

/** How long a cached key is used: it may work up to a second longer after another process has revoked it. */
const FRESH_MS = 1_000;
/** The most keys in each of the two caches: rows of keys, and times of their last use. */
const MOST_CACHED_KEYS = 10_000;
/** The shortest time between two updates of `last_used_at` of one key. */
const MARK_USED_EVERY_MS = 60_000;

/** A key from the database, and when it was read (monotonic milliseconds). */
interface CachedKey {
  row: Promise<ApiKeyRow | null>;
  readMs: number;
}

/** Creates the API keys in the store, with a cache: a busy client costs one read a second. */
export function createApiKeys(parts: ApiKeyParts): ApiKeys {
  const { store, clock } = parts;
  const cache = new LRUCache<string, CachedKey>({ max: MOST_CACHED_KEYS });
  const markUsed = createUseMarker(parts);

  const cachedRow = (keyHash: string): Promise<ApiKeyRow | null> | undefined => {
    const cached = cache.get(keyHash);
    return cached && clock.monotonicMs() - cached.readMs < FRESH_MS ? cached.row : undefined;
  };

  const find = async (keyHash: string): Promise<ApiKeyRow | null> => {
    const cached = cachedRow(keyHash);
    if (cached) return cached;
    const row = store.read(apiKeyTransactions.findByHash, { keyHash });
    cache.set(keyHash, { row, readMs: clock.monotonicMs() });
    // A failed read says nothing about the key: it is not cached.
    row.catch(() => cache.delete(keyHash));
    return row;
  };

  const holderOfHash = async (keyHash: string): Promise<Principal | null> => {
    const row = await find(keyHash);
    if (!row || row.revoked_at !== null || !isUnexpired(row.expires_at, clock)) return null;
    markUsed(row.id);
    return toPrincipal(row);
  };

  return {
    async create(request) {
      if (!isUnexpired(request.expiresAt, clock)) throw expiredProblem();
      const { key, row } = newApiKey(parts, request);
      return { key, row: await store.write(apiKeyTransactions.create, { key: row }) };
    },
    get: (key) => store.read(apiKeyTransactions.get, key),
    list: (filter, cursor, limit) => store.read(apiKeyTransactions.list, { filter, cursor, limit }),
    async revoke({ workspace, id }) {
      const row = await store.write(apiKeyTransactions.revoke, { workspace, id, at: clock.wallMs() });
      cache.delete(row.key_hash);
      return row;
    },
    async holderOf(key) {
      const keyHash = hashApiKey(key);
      // The checksum of a cached key need not be computed. A mistyped key fails the check, so it costs no read.
      return cachedRow(keyHash) || isIntact(key) ? holderOfHash(keyHash) : null;
    },
    holderOfHash,
  };
}

/**
 * Creates the first key of an installation at its first start, with all scopes in the default workspace, and returns
 * its text. Null if there is a key already, even a revoked one.
 */
export async function ensureFirstKey(parts: ApiKeyParts): Promise<string | null> {
  const { key, row } = newApiKey(parts, {
    workspace: DEFAULT_WORKSPACE,
    name: 'First key',
    scopes: ['admin'],
    expiresAt: null,
  });
  return (await parts.store.write(apiKeyTransactions.createFirst, { key: row })) ? key : null;
}

/** A new key: its text, and the row that stores its hash. */
function newApiKey({ ids, clock }: ApiKeyParts, request: ApiKeyRequest): { key: string; row: NewApiKey } {
  const key = mintApiKey(ids);
  return {
    key,
    row: {
      ...request,
      id: ids.next('key'),
      keyHash: hashApiKey(key),
      keyHint: hintOfApiKey(key),
      createdAt: clock.wallMs(),
    },
  };
}

/** Returns a function that updates `last_used_at` of a key, without a delay for the request that uses it. */
function createUseMarker({ store, clock, log }: ApiKeyParts): (id: string) => void {
  const markedMs = new LRUCache<string, number>({ max: MOST_CACHED_KEYS });
  return (id) => {
    const last = markedMs.get(id);
    if (last !== undefined && clock.monotonicMs() - last < MARK_USED_EVERY_MS) return;
    markedMs.set(id, clock.monotonicMs());
    store
      .write(apiKeyTransactions.markUsed, { id, at: clock.wallMs() })
      .catch((error: unknown) =>
        log.warn({ err: error, key_id: id }, 'last use of an API key was not stored'),
      );
  };
}

function expiredProblem(): Problem {
  return fieldProblem('validation_error', 'expires_at', 'must be in the future', 'invalid_value');
}

/** True if a key has not expired; null means that it never does. */
function isUnexpired(expiresAt: number | null, clock: Clock): boolean {
  return expiresAt === null || expiresAt > clock.wallMs();
}

function toPrincipal(row: ApiKeyRow): Principal {
  return {
    id: row.id,
    type: 'api_key',
    name: row.name,
    workspace: row.workspace,
    scopes: row.scopes,
    expiresAt: row.expires_at,
  };
}
