/** What SQL may be given: the portable types that both engines bind. Booleans are 0/1, JSON is text. */
export type SqlValue = string | number | null;
export type SqlRow = Record<string, unknown>;

/** Where the two engines differ, as far as SQL texts must know it. */
export interface Dialect {
  engine: 'sqlite' | 'postgres';
  /** Ends the inner select of a claim: `for update skip locked` on PostgreSQL, nothing on SQLite. */
  skipLocked: string;
  /** Ends a select of rows about to be changed: ` for update` on PostgreSQL, nothing on SQLite (one writer). */
  forUpdate: string;
}

/** A transaction in progress. SQL is written once, with `?` placeholders, in the subset that both engines run. */
export interface Tx {
  readonly dialect: Dialect;
  all(sql: string, ...values: SqlValue[]): Promise<SqlRow[]>;
  get(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined>;
  /** Runs a statement and returns how many rows it changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>;
}

/**
 * One transaction as a named function. It runs on the store's thread, so its arguments and result must survive
 * structured cloning; it may await nothing but `tx`; and it must be deterministic in its arguments (instants and ids
 * come from the caller), because the store may run it again when another unit of the same commit fails.
 */
export type Unit<Args, Result> = (tx: Tx, args: Args) => Promise<Result>;

const unitNames = new WeakMap<object, string>();
const units = new Map<string, Unit<never, unknown>>();

/**
 * Declares the units of a room. Both threads load the same module: the caller sends the name of a unit, the store's
 * thread finds the function under it.
 * @param room the prefix of the names, such as `calls`
 */
export function defineUnits<Units extends Record<string, Unit<never, unknown>>>(
  room: string,
  declared: Units,
): Units {
  for (const [name, unit] of Object.entries(declared)) {
    unitNames.set(unit, `${room}.${name}`);
    units.set(`${room}.${name}`, unit);
  }
  return declared;
}

/** The name under which a unit was declared. */
export function nameOfUnit(unit: object): string {
  const name = unitNames.get(unit);
  if (name === undefined) throw new Error('this function was not declared by defineUnits');
  return name;
}

/** The unit declared under a name; the store's thread must have loaded its module. */
export function unitNamed(name: string): Unit<never, unknown> {
  const unit = units.get(name);
  if (unit === undefined) throw new Error(`no unit is named ${name}`);
  return unit;
}
