import { Problem } from '#kernel/errors/errors.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import type { RequestWarning } from '#kernel/input/request-warnings.js';

/*
 * Warnings about variables that the agent's texts need and the data of a call (or of the rows of a batch) do not have.
 * Requests for calls, batches and schedules are checked with them; `needed-variables.ts` lists the needed variables.
 */

/** The most rows that a warning lists; all rows are counted. */
const MAX_ROWS_LISTED = 100;

/** The needed variables that have no value in any of the data; an empty text is no value. */
export function missingIn(needed: readonly string[], ...data: readonly (FreeForm | undefined)[]): string[] {
  return needed.filter((name) => !data.some((values) => (values?.[name] ?? '') !== ''));
}

/** Collects the missing variables of the rows of a batch. */
export class MissingVariables {
  readonly #rows = new Map<string, { count: number; rows: number[] }>();

  /** Adds the variables that one row lacks. @param row the row's position, from 1 */
  add(names: readonly string[], row: number): void {
    for (const name of names) {
      const found = this.#rows.get(name) ?? { count: 0, rows: [] };
      this.#rows.set(name, found);
      found.count += 1;
      if (found.rows.length < MAX_ROWS_LISTED) found.rows.push(row);
    }
  }

  /** One warning for each missing variable, with the number of rows and the first of them. */
  warnings(): RequestWarning[] {
    return [...this.#rows].map(([name, { count, rows }]) => ({
      ...missingWarning(name, `${count} of the rows`),
      count,
      rows,
    }));
  }
}

/** The warnings about the missing variables of a single call. */
export function missingWarnings(names: readonly string[]): RequestWarning[] {
  return names.map((name) => missingWarning(name, 'the call'));
}

/** @param source whose data lack the variable: "the call", "3 of the rows" */
function missingWarning(name: string, source: string): RequestWarning {
  const message = `The agent speaks {{${name}}}, and the data of ${source} do not have it; it is left out.`;
  return { code: 'variable_missing', field: name, message };
}

/**
 * Refuses a request whose data lack variables, if its agent is set to refuse (`missing_variables`).
 * @throws Problem `validation_error`
 */
export function requireVariables(
  { whenMissing }: { whenMissing: 'warn' | 'refuse' },
  missing: readonly RequestWarning[],
): void {
  if (whenMissing !== 'refuse' || missing.length === 0) return;
  throw new Problem('validation_error', 'The agent needs data that the request does not have.', {
    details: missing.map(({ field, count, rows }) => ({
      field: `customer_data.${field}`,
      code: 'variable_missing',
      message: count === undefined ? 'is needed by the agent' : `is missing in rows ${rows?.join(', ')}`,
    })),
  });
}
