import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { Problem } from '#kernel/errors/errors.js';
import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { newestFirst } from '#store/statements/newest-first.js';
import type { Cursor, Page } from '#store/page.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import {
  SuppressionRow,
  toSuppressionResource,
  type SuppressionReason,
  type SuppressionSource,
} from './suppression.js';

/** A number to suppress; instants are epoch milliseconds. */
export interface NewSuppression {
  /** The id for a new entry; an existing entry keeps its own. */
  id: string;
  workspace: string;
  phoneNumber: string;
  reason: SuppressionReason;
  source: SuppressionSource;
  note: string | null;
  callId: string | null;
  at: number;
  expiresAt: number | null;
}

/** Filters of a list; several values of one filter mean "any of". */
export interface SuppressionFilter extends CreationFilter {
  workspace: string;
  phoneNumber?: readonly string[] | undefined;
  reason?: readonly string[] | undefined;
  source?: readonly string[] | undefined;
}

/** An entry by its id or by its number (E.164). */
export interface SuppressionKey {
  workspace: string;
  id: string;
  /** Null if the request names an id. */
  phoneNumber: string | null;
}

/** SQL condition: an entry has not expired. Its parameter is the current time. */
const IS_VALID = '(expires_at is null or expires_at > ?)';

/**
 * Adds a number to the suppression list, for requests, imports and opt-outs in calls. An expired entry is replaced. Of
 * a valid entry, only the expiry may change, to a later one or none, and `updated_at`. Returns the entry.
 */
export async function suppress(tx: Tx, entry: NewSuppression): Promise<SuppressionRow> {
  await tx.run(
    'delete from suppressions where workspace = ? and phone_number = ? and expires_at <= ?',
    entry.workspace,
    entry.phoneNumber,
    entry.at,
  );
  const row = await tx.get(
    `insert into suppressions
       (id, workspace, phone_number, reason, source, note, call_id, created_at, updated_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (workspace, phone_number) do update set
       updated_at = excluded.updated_at,
       expires_at = case
         when suppressions.expires_at is null or excluded.expires_at is null then null
         when suppressions.expires_at > excluded.expires_at then suppressions.expires_at
         else excluded.expires_at end
     returning *`,
    entry.id,
    entry.workspace,
    entry.phoneNumber,
    entry.reason,
    entry.source,
    entry.note,
    entry.callId,
    entry.at,
    entry.at,
    entry.expiresAt,
  );
  return SuppressionRow.parse(row);
}

/** The valid entry of a number, or null. */
export async function findSuppression(
  tx: Tx,
  args: { workspace: string; phoneNumber: string; now: number },
): Promise<SuppressionRow | null> {
  const row = await tx.get(
    `select * from suppressions where workspace = ? and phone_number = ? and ${IS_VALID}`,
    args.workspace,
    args.phoneNumber,
    args.now,
  );
  return row ? SuppressionRow.parse(row) : null;
}

/** The transactions of the suppression list: for `Suppressions`, opt-outs in calls, the policy and its retention. */
export const suppressionTransactions = defineTransactions('suppressions', {
  /** Adds a number, as {@link suppress} does, and stores the response: 201 for a new entry, 200 for an existing one. */
  async add(tx, args: { entry: NewSuppression; kept: IdempotentAnswer | null }): Promise<SuppressionRow> {
    const row = await suppress(tx, args.entry);
    if (args.kept) {
      const status = row.id === args.entry.id ? 201 : 200;
      await keepAnswer(tx, { ...args.kept, status, body: JSON.stringify(toSuppressionResource(row)) });
    }
    return row;
  },

  /** Adds a slice of an import, as {@link suppress} does. Returns how many entries are new. */
  async addSlice(tx, args: { entries: readonly NewSuppression[] }): Promise<number> {
    let added = 0;
    for (const entry of args.entries) {
      const row = await suppress(tx, entry);
      if (row.id === entry.id) added += 1;
    }
    return added;
  },

  /** A valid entry. @throws Problem `suppression_not_found` */
  get: requireSuppression,

  /** A page of the valid entries, newest first. */
  async list(
    tx,
    args: { filter: SuppressionFilter; now: number; cursor: Cursor | null; limit: number },
  ): Promise<Page<SuppressionRow>> {
    const conditions = conditionsOf(args.filter, args.now);
    const select = 'select * from suppressions';
    return newestFirst(tx, { ...args, select, conditions }, (row) => SuppressionRow.parse(row));
  },

  /** Removes an entry and returns it. @throws Problem `suppression_not_found` */
  async remove(tx, args: SuppressionKey & { now: number }): Promise<SuppressionRow> {
    const row = await requireSuppression(tx, args);
    await tx.run('delete from suppressions where id = ?', row.id);
    return row;
  },

  /** Deletes up to `limit` expired entries. Returns how many. */
  purge(tx, args: { now: number; limit: number }): Promise<number> {
    return tx.run(
      `delete from suppressions where id in (
         select id from suppressions where expires_at <= ? order by expires_at limit ?)`,
      args.now,
      args.limit,
    );
  },

  /** The valid entries of the numbers. */
  async check(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; now: number },
  ): Promise<SuppressionRow[]> {
    if (args.phoneNumbers.length === 0) return [];
    const rows = await tx.all(
      `select * from suppressions
       where workspace = ? and phone_number in (${placeholders(args.phoneNumbers)}) and ${IS_VALID}`,
      args.workspace,
      ...args.phoneNumbers,
      args.now,
    );
    return rows.map((row) => SuppressionRow.parse(row));
  },
});

/** @throws Problem `suppression_not_found` */
async function requireSuppression(tx: Tx, key: SuppressionKey & { now: number }): Promise<SuppressionRow> {
  const row = await tx.get(
    `select * from suppressions where workspace = ? and (id = ? or phone_number = ?) and ${IS_VALID}`,
    key.workspace,
    key.id,
    key.phoneNumber,
    key.now,
  );
  if (!row) throw new Problem('suppression_not_found', 'There is no such entry on the suppression list.');
  return SuppressionRow.parse(row);
}

/** The conditions of a filter; null for a field without a condition. */
function conditionsOf(filter: SuppressionFilter, now: number): (Condition | null)[] {
  return [
    ['workspace = ?', filter.workspace],
    [IS_VALID, now],
    anyOf('phone_number', filter.phoneNumber),
    anyOf('reason', filter.reason),
    anyOf('source', filter.source),
  ];
}
