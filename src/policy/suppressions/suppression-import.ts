import type { CountryCode } from 'libphonenumber-js';
import { readImportRow, type ImportDefaults, type ImportError, type ImportRow } from './import-row.js';
import type { SuppressionInput, Suppressions } from './suppressions.js';

/** What became of a list. */
export interface ImportResult {
  valid: number;
  invalid: number;
  added: number;
  unchanged: number;
  /** Rows that were left out; the first {@link MOST_TOLD} things that are wrong with them. */
  errors: ImportError[];
  /** Rows of which only the number could be read, and was taken; as many. */
  warnings: ImportError[];
}

export interface ImportOptions {
  workspace: string;
  defaults: ImportDefaults;
  /** The country whose national numbers are understood. */
  region?: CountryCode | undefined;
  /** Only says what would happen. */
  isDryRun: boolean;
}

/**
 * Faults of each kind that are told. A list of ten megabytes may have millions, and an answer with all of them would
 * hold up live audio.
 */
export const MOST_TOLD = 10_000;
/** Rows per transaction: short enough that nobody waits for it. */
const ROWS_PER_SLICE = 200;
const ONLY_NUMBER = 'only its number was taken';

/**
 * Imports a list, a slice at a time. Rows that are wrong are named and left out; the others count, since a list of
 * people who must not be called is not refused for a slip of the pen. Nor is a number for one further along its row:
 * it counts as if it stood there alone, and the row is named. Of a number that is named twice, or is on the list
 * already, the later end holds, whichever line it is on. Importing it again changes nothing.
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
  const putAway = async () => {
    result.added += await addOrCount(slice, seen, options, suppressions);
    slice = [];
  };
  for await (const several of rows) {
    for (const row of several) {
      const input = readImportRow(row, rules);
      tell(row, input, result);
      if (Array.isArray(input)) continue;
      slice.push(input);
      if (slice.length === ROWS_PER_SLICE) await putAway();
    }
  }
  await putAway();
  return { ...result, unchanged: result.valid - result.added };
}

/**
 * How many numbers of a slice are new to the list; they are on it afterwards, unless nothing is to happen.
 * @param seen the numbers of the slices before, of which nothing is on the list when nothing is to happen
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

/** Counts a row, and says what is wrong with it, as long as not enough has been said. */
function tell({ row, flaw }: ImportRow, input: ReturnType<typeof readImportRow>, result: ImportResult): void {
  if (Array.isArray(input)) {
    result.invalid += 1;
    if (result.errors.length < MOST_TOLD) result.errors.push(...input);
    return;
  }
  result.valid += 1;
  if (flaw !== undefined && result.warnings.length < MOST_TOLD)
    result.warnings.push({ row, field: 'row', message: `${flaw}: ${ONLY_NUMBER}` });
}
