import { Problem } from '#kernel/errors/errors.js';
import type { SqlValue } from '#store/unit.js';

/**
 * Refuses what only one of the engines would take, so that both behave alike: better-sqlite3 throws on booleans and
 * `undefined` and turns NaN into null, PostgreSQL cannot keep NUL in text.
 */
export function checkValues(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string') {
      if (value.includes('\0'))
        throw new Problem('validation_error', 'Text must not contain the NUL character.');
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new Error(`SQL cannot be given the number ${value}`);
    } else if (value !== null) {
      throw new Error(`SQL cannot be given a value of type ${typeof value}`);
    }
  }
}
