import { Problem } from '#kernel/errors/errors.js';
import type { Increment } from '#metrics/counters.js';

// Transactions: how modules declare them, and what they may do.

/** A value to bind, of a type that both engines accept. Callers write booleans as 0 or 1, and JSON as text. */
export type SqlValue = string | number | null;
/** A row by the names of its columns, unvalidated: modules parse it by their row schemas. */
export type SqlRow = Record<string, unknown>;

/**
 * Refuses values that the two engines treat differently: better-sqlite3 throws on booleans and `undefined` and stores
 * NaN as null; PostgreSQL cannot store NUL in text.
 * @throws Problem `validation_error` for NUL, which a client may have sent; Error for the others, which are bugs
 */
export function checkValues(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string') {
      if (value.includes('\0'))
        throw new Problem('validation_error', 'Text must not contain the NUL character.');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new Error(`${value} cannot be bound to an SQL statement`);
    } else if (value !== null) {
      throw new Error(`a value of type ${typeof value} cannot be bound to an SQL statement`);
    }
  }
}

/** The differences between the engines that SQL texts must consider. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Ends the inner select of a claim: ` for update skip locked` on PostgreSQL, nothing on SQLite (one writer). */
  skipLocked: string;
  /** Ends a select of rows about to be changed: ` for update` on PostgreSQL, nothing on SQLite. */
  forUpdate: string;
  /**
   * An expression for the database's clock in epoch milliseconds; null on SQLite, whose clock is the caller's. For
   * clock synchronisation only: transactions take their instants from their arguments.
   */
  clock: string | null;
}

/** A transaction in progress. SQL is written once, with `?` placeholders, in the subset that both engines run. */
export interface Tx {
  readonly dialect: Dialect;
  /** Runs a statement and resolves with all its rows. */
  all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]>;
  /** Runs a statement and resolves with its first row, if there is one. */
  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined>;
  /** Runs a statement and resolves with how many rows it changed or, if it returns rows, returned. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /**
   * Runs a statement whose outcome is not needed. Over a network it travels with those behind it, the commit included,
   * instead of in a round trip of its own. If the statement fails, the transaction fails.
   */
  post(sql: string, ...values: SqlValue[]): void;
  /**
   * Takes a lock by name until the transaction ends, for something that has no row to lock. All transactions must take
   * their locks by name and row locks in the same order, or they can deadlock. No-op on SQLite, which has one writer.
   * @param name subject and workspace, such as `default agent of ws_1`
   */
  lock(name: string): Promise<void>;
  /** Adds to a counter when the transaction commits; a transaction that is rolled back counts nothing. */
  count(increment: Increment): void;
}

/**
 * A named function that runs in one transaction, on a store thread:
 *
 * - Its arguments and result must survive structured cloning.
 * - It awaits only the methods of `tx`.
 * - It is deterministic in its arguments and does not change them, because the store may run it again. Instants and
 *   ids come from the caller.
 * - It does not catch an SQL error and go on: on PostgreSQL the error has ended the transaction. For a possible
 *   duplicate, write `on conflict … do nothing` and look at the count.
 */
export type Transaction<Args, Result> = (tx: Tx, args: Args) => Promise<Result>;

/** A transaction of any types: `never` accepts every argument type, `unknown` every result. */
type AnyTransaction = Transaction<never, unknown>;

/** A declared transaction; `subjectOf` is set by {@link shareCommits}. */
interface Declared {
  transaction: AnyTransaction;
  subjectOf: ((args: never) => string | null) | null;
}

const transactionNames = new WeakMap<AnyTransaction, string>();
const transactions = new Map<string, Declared>();

/**
 * Declares the transactions of a module. The caller's thread and the store's load the same module: the caller sends the
 * name of a transaction, and the store's thread finds its function. `tx` and the result are inferred:
 *
 *     export const agentTransactions = defineTransactions('agents', {
 *       async remove(tx, args: { id: string }) {
 *         return (await tx.run('delete from agents where id = ?', args.id)) === 1;
 *       },
 *     });
 *     const removed: boolean = await store.write(agentTransactions.remove, { id });
 *
 * @param prefix of the names, such as `calls`; the whole name must be unique
 */
export function defineTransactions<Transactions extends Record<string, AnyTransaction>>(
  prefix: string,
  declared: Transactions,
): Transactions {
  for (const [key, transaction] of Object.entries(declared)) {
    const name = `${prefix}.${key}`;
    if (transactions.has(name)) throw new Error(`two transactions are named ${name}`);
    transactionNames.set(transaction, name);
    transactions.set(name, { transaction, subjectOf: null });
  }
  return declared;
}

type SubjectOf<Known> =
  Known extends Transaction<infer Args, unknown> ? (args: Args) => string | null : never;

/**
 * Declares which transactions may share one database transaction with others on PostgreSQL, and the subject of each,
 * such as the id of its call. This saves the server most of its work. Transactions of different subjects run
 * concurrently in the shared transaction, those of one subject in order. They commit together. If that fails, or if one
 * of them fails after a write, each is run again by itself. Row locks do not hold between them, only against all other
 * transactions. Each of these transactions must therefore
 *
 * - be short,
 * - change and lock only rows of its subject, rows that it inserts, and subjects that it has locked by {@link Tx.lock}.
 */
export function shareCommits<Transactions extends Record<string, AnyTransaction>>(
  declared: Transactions,
  subjects: { readonly [Name in keyof Transactions]?: SubjectOf<Transactions[Name]> },
): void {
  for (const [key, subjectOf] of Object.entries(subjects))
    transactions.get(nameOfTransaction(declared[key]!))!.subjectOf = subjectOf as Declared['subjectOf'];
}

/**
 * For {@link shareCommits}: the subject of a transaction that only reads, and may run at the same time as any other.
 */
export function noSubject(): null {
  return null;
}

/** The name of a declared transaction. */
export function nameOfTransaction(transaction: AnyTransaction): string {
  const name = transactionNames.get(transaction);
  if (name === undefined) throw new Error('this function was not declared by defineTransactions');
  return name;
}

/** The transaction of a name; the thread must have loaded its module. */
export function transactionNamed(name: string): AnyTransaction {
  const declared = transactions.get(name);
  if (declared === undefined)
    throw new Error(`no transaction is named ${name}: is its module one of transactionModules?`);
  return declared.transaction;
}

/**
 * The subject of a transaction that may share a commit (see {@link shareCommits}): null for a transaction without a
 * subject, undefined for a transaction that may not share.
 */
export function subjectOfTransaction(name: string, args: unknown): string | null | undefined {
  return transactions.get(name)?.subjectOf?.(args as never);
}
