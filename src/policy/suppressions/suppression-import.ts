import type { CountryCode } from 'libphonenumber-js';
import { readImportRow, type ImportDefaults, type ImportError, type ImportRow } from './import-row.js';
import type { SuppressionInput, Suppressions } from './suppressions.js';

/** The result of an import, in numbers of rows. */
export interface ImportResult {
  valid: number;
  invalid: number;
  added: number;
  unchanged: number;
  /** Errors of rows that were left out, see {@link MAX_REPORTED}. */
  errors: ImportError[];
  /** Rows of which only the number could be read and was added, see {@link MAX_REPORTED}. */
  warnings: ImportError[];
}

/** Whose list the import adds to, and how its rows are read. */
export interface ImportOptions {
  workspace: string;
  defaults: ImportDefaults;
  /** The country of numbers in national format. */
  region?: CountryCode | undefined;
  /** True for a dry run: nothing is stored, and the result shows the effect that the import would have. */
  isDryRun: boolean;
}

/**
 * After this many errors (or warnings) in a result, further rows are only counted. A list of ten megabytes may have
 * millions of errors, and serializing all of them would delay live audio.
 */
export const MAX_REPORTED = 10_000;
/** How many rows one transaction stores: few, so that other transactions do not wait. */
const ROWS_PER_SLICE = 200;
const ONLY_NUMBER_MESSAGE = 'only its number was taken';

/**
 * Imports a list of suppressions slice by slice, for the import route. An invalid row is reported and left out, and the
 * others are imported: an error in one row must not let the numbers of the others be called. A row with a valid number
 * and an unreadable rest is imported as the number alone, with a warning. Of several entries for one number, the latest
 * expiry counts. The import is idempotent.
 */
export async function importSuppressions(
  rows: AsyncIterable<readonly ImportRow[]> | Iterable<readonly ImportRow[]>,
  options: ImportOptions,
  suppressions: Pick<Suppressions, 'addSlice' | 'check' | 'hasExpired'>,
): Promise<ImportResult> {
  const { defaults, region } = options;
  const rules = { defaults, region, hasExpired: (at: number | null) => suppressions.hasExpired(at) };
  const seen = new Set<string>();
  const result: ImportResult = { valid: 0, invalid: 0, added: 0, unchanged: 0, errors: [], warnings: [] };
  let slice: SuppressionInput[] = [];
  const endSlice = async () => {
    result.added += await addOrCount(slice, seen, options, suppressions);
    slice = [];
  };
  for await (const batch of rows) {
    for (const row of batch) {
      const input = readImportRow(row, rules);
      addToResult(row, input, result);
      if (Array.isArray(input)) continue;
      slice.push(input);
      if (slice.length === ROWS_PER_SLICE) await endSlice();
    }
  }
  await endSlice();
  return { ...result, unchanged: result.valid - result.added };
}

/**
 * Adds a slice or, in a dry run, only counts; returns how many of its numbers are new.
 * @param seen the numbers of the previous slices, which a dry run has not added
 */
async function addOrCount(
  slice: readonly SuppressionInput[],
  seen: Set<string>,
  { workspace, isDryRun }: ImportOptions,
  suppressions: Pick<Suppressions, 'addSlice' | 'check'>,
): Promise<number> {
  if (slice.length === 0) return 0;
  if (!isDryRun) return suppressions.addSlice(workspace, slice);
  const numbers = [...new Set(slice.map((input) => input.phoneNumber))].filter((number) => !seen.has(number));
  for (const number of numbers) seen.add(number);
  return numbers.length - (await suppressions.check(workspace, numbers)).size;
}

/** Counts a row, and adds its errors or warning to the result unless it has enough of them. */
function addToResult(
  { row, flaw }: ImportRow,
  input: ReturnType<typeof readImportRow>,
  result: ImportResult,
): void {
  if (Array.isArray(input)) {
    result.invalid += 1;
    result.errors.push(...input.slice(0, MAX_REPORTED - result.errors.length));
    return;
  }
  result.valid += 1;
  if (flaw !== undefined && result.warnings.length < MAX_REPORTED)
    result.warnings.push({ row, field: 'row', message: `${flaw}: ${ONLY_NUMBER_MESSAGE}` });
}
