import type { Tally } from '#metrics/tallies.js';

/** What SQL may be given: the portable types that both engines bind. Booleans are 0/1, JSON is text. */
export type SqlValue = string | number | null;
export type SqlRow = Record<string, unknown>;

/** Where the two engines differ, as far as SQL texts must know it. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Ends the inner select of a claim: ` for update skip locked` on PostgreSQL, nothing on SQLite (one writer). */
  skipLocked: string;
  /** Ends a select of rows about to be changed: ` for update` on PostgreSQL, nothing on SQLite. */
  forUpdate: string;
  /**
   * The database's own time in epoch milliseconds, as an expression; null on SQLite, where it is the caller's. Units
   * take their instants from their arguments: this is for whoever sets the clock that those come from.
   */
  clock: string | null;
}

/** A transaction in progress. SQL is written once, with `?` placeholders, in the subset that both engines run. */
export interface Tx {
  readonly dialect: Dialect;
  all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]>;
  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
  /** Counts something that this transaction does: once, as soon as it is committed, and never when it is undone. */
  tally(tally: Tally): void;
}

/**
 * One transaction as a named function. It runs on the store's thread, so its arguments and result must survive
 * structured cloning; it may await nothing but `tx`; and it must be deterministic in its arguments (instants and ids
 * come from the caller, and arguments are not changed), because the store may run it again. It must not
 * catch an SQL error and go on: on PostgreSQL such an error has already ended the transaction. To meet a duplicate,
 * write `on conflict … do nothing` and look at the count.
 */
export type Unit<Args, Result> = (tx: Tx, args: Args) => Promise<Result>;

/** A unit whatever its types: `never` accepts every argument type, `unknown` every result. */
type AnyUnit = Unit<never, unknown>;

const unitNames = new WeakMap<AnyUnit, string>();
const units = new Map<string, AnyUnit>();

/**
 * Declares the units of a room. Both threads load the same module: the caller sends the name of a unit, the store's
 * thread finds the function under it. Only the argument needs a type; `tx` and the result are inferred:
 *
 *     export const agentUnits = defineUnits('agents', {
 *       async remove(tx, args: { id: string }) {
 *         return (await tx.run('delete from agents where id = ?', args.id)) === 1;
 *       },
 *     });
 *     const removed: boolean = await store.write(agentUnits.remove, { id });
 *
 * @param room the prefix of the names, such as `calls`
 */
export function defineUnits<Units extends Record<string, AnyUnit>>(room: string, declared: Units): Units {
  for (const [key, unit] of Object.entries(declared)) {
    const name = `${room}.${key}`;
    if (units.has(name)) throw new Error(`two units are named ${name}`);
    unitNames.set(unit, name);
    units.set(name, unit);
  }
  return declared;
}

/** The name under which a unit was declared. */
export function nameOfUnit(unit: AnyUnit): string {
  const name = unitNames.get(unit);
  if (name === undefined) throw new Error('this function was not declared by defineUnits');
  return name;
}

/** The unit declared under a name; the store's thread must have loaded its module. */
export function unitNamed(name: string): AnyUnit {
  const unit = units.get(name);
  if (unit === undefined) throw new Error(`no unit is named ${name}: is its module one of unitModules?`);
  return unit;
}
