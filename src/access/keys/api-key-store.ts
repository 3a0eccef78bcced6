import type { CreationFilter } from '#store/statements/conditions.js';
import { newestFirst } from '#store/statements/newest-first.js';
import type { Cursor, Page } from '#store/page.js';
import { insertInto } from '#store/statements/insert.js';
import { defineTransactions, noSubject, shareCommits, type Tx } from '#store/transaction.js';
import { Problem } from '#kernel/errors/errors.js';
import { ApiKeyRow } from './api-key.js';
import type { Scope } from './principal.js';

/** An API key to store, as its hash; instants are epoch milliseconds. */
export interface NewApiKey {
  id: string;
  workspace: string;
  name: string;
  keyHash: string;
  keyHint: string;
  scopes: readonly Scope[];
  createdAt: number;
  expiresAt: number | null;
}

/** The filters of a list of API keys; instants are epoch milliseconds. */
export interface ApiKeyFilter extends CreationFilter {
  workspace: string;
}

/** The transactions on the table `api_keys`, for `api-keys.ts`. */
export const apiKeyTransactions = defineTransactions('api_keys', {
  /** Stores a new key and returns its row. */
  async create(tx, args: { key: NewApiKey }): Promise<ApiKeyRow> {
    await insertKey(tx, args.key);
    return requireKey(tx, args.key);
  },

  /** A key of a workspace. @throws Problem `api_key_not_found` */
  get: requireKey,

  /** Stores the first key of the installation. False if there is a key already, even a revoked one. */
  async createFirst(tx, args: { key: NewApiKey }): Promise<boolean> {
    // Two processes may start at the same time.
    await tx.lock('first API key');
    if (await tx.get('select id from api_keys limit 1')) return false;
    await insertKey(tx, args.key);
    return true;
  },

  /** The key with this hash, even if it was revoked or has expired; null if there is none. */
  async findByHash(tx, args: { keyHash: string }): Promise<ApiKeyRow | null> {
    const row = await tx.get('select * from api_keys where key_hash = ?', args.keyHash);
    return row ? ApiKeyRow.parse(row) : null;
  },

  /** The keys of a workspace that were not revoked, newest first. */
  async list(
    tx,
    args: { filter: ApiKeyFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<ApiKeyRow>> {
    const conditions = [['workspace = ? and revoked_at is null', args.filter.workspace] as const];
    const select = 'select * from api_keys';
    return newestFirst(tx, { ...args, select, conditions }, (row) => ApiKeyRow.parse(row));
  },

  /** Revokes a key. @throws Problem `api_key_not_found`, also for a key of another workspace or a revoked one */
  async revoke(tx, args: { workspace: string; id: string; at: number }): Promise<ApiKeyRow> {
    const row = await tx.get(
      `update api_keys set revoked_at = ? where id = ? and workspace = ? and revoked_at is null returning *`,
      args.at,
      args.id,
      args.workspace,
    );
    if (!row) throw keyNotFoundProblem();
    return ApiKeyRow.parse(row);
  },

  /** Sets `last_used_at` of a key, which clients see in the list of keys. */
  async markUsed(tx, args: { id: string; at: number }): Promise<void> {
    await tx.run('update api_keys set last_used_at = ? where id = ?', args.at, args.id);
  },
});

// The look-up only reads, so it may share a database transaction with any other.
shareCommits(apiKeyTransactions, { findByHash: noSubject });

/** A key of a workspace. @throws Problem `api_key_not_found`, also for a revoked key */
async function requireKey(tx: Tx, args: { workspace: string; id: string }): Promise<ApiKeyRow> {
  const row = await tx.get(
    'select * from api_keys where id = ? and workspace = ? and revoked_at is null',
    args.id,
    args.workspace,
  );
  if (!row) throw keyNotFoundProblem();
  return ApiKeyRow.parse(row);
}

function keyNotFoundProblem(): Problem {
  return new Problem('api_key_not_found', 'There is no API key with this id.');
}

async function insertKey(tx: Tx, key: NewApiKey): Promise<void> {
  await insertInto(tx, 'api_keys', {
    id: key.id,
    workspace: key.workspace,
    name: key.name,
    key_hash: key.keyHash,
    key_hint: key.keyHint,
    scopes: JSON.stringify(key.scopes),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: null,
    revoked_at: null,
  });
}
