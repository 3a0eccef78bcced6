import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { instantField, phoneNumberField } from '../../kernel/input/fields.js';
import { PAST, type SuppressionInput, type Suppressions } from './suppressions.js';
import { SUPPRESSION_REASONS } from './suppression.js';

/** One row of a list as it was given: cells by the name of their column. */
export interface ImportRow {
  /** Where it stands in the list: the line of a table, from 1; the place in an array, from 1. */
  row: number;
  cells: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read from some cell on; those before it are there. */
  flaw?: string;
}

/** What is wrong with a row. Its values are not repeated: they are about people. */
export interface ImportError {
  row: number;
  field: string;
  message: string;
}

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

/** What holds for rows that do not say. */
export type ImportDefaults = Omit<SuppressionInput, 'phoneNumber'>;

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
const LONGEST_NOTE = 500;
const ONLY_NUMBER = 'only its number was taken';

/**
 * Imports a list, a slice at a time. Rows that are wrong are named and left out; the others count, since a list of
 * people who must not be called is not refused for a slip of the pen. Nor is a number for one further along its row:
 * it counts as if it stood there alone, and the row is named. Of a number that is named twice, or is on the list
 * already, the later end holds, whichever line it is on. Importing it again changes nothing.
 */
export async function importSuppressions(
  rows: AsyncIterable<ImportRow> | Iterable<ImportRow>,
  options: ImportOptions,
  suppressions: Pick<Suppressions, 'addSlice' | 'check' | 'hasExpired'>,
): Promise<ImportResult> {
  const schema = importRow(options.region);
  const seen = new Set<string>();
  const result: ImportResult = { valid: 0, invalid: 0, added: 0, unchanged: 0, errors: [], warnings: [] };
  let slice: SuppressionInput[] = [];
  const putAway = async () => {
    result.added += await addOrCount(slice, seen, options, suppressions);
    slice = [];
  };
  for await (const row of rows) {
    const isFlawed = row.flaw !== undefined;
    const read = schema.safeParse(isFlawed ? { phone_number: row.cells['phone_number'] } : row.cells);
    const input = read.data && inputOf(read.data, options.defaults);
    const hasExpired = input !== undefined && suppressions.hasExpired(input.expiresAt);
    if (input === undefined || hasExpired) {
      result.invalid += 1;
      if (result.errors.length < MOST_TOLD) result.errors.push(...errorsOf(row, read.error, hasExpired));
      continue;
    }
    if (isFlawed && result.warnings.length < MOST_TOLD)
      result.warnings.push({ row: row.row, field: 'row', message: `${row.flaw}: ${ONLY_NUMBER}` });
    result.valid += 1;
    slice.push(input);
    if (slice.length === ROWS_PER_SLICE) await putAway();
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

function importRow(region?: CountryCode) {
  const blankIsAbsent = (value: unknown) => (value === '' || value === null ? undefined : value);
  return z.object({
    phone_number: z.preprocess(blankIsAbsent, phoneNumberField(region)),
    reason: z.preprocess(blankIsAbsent, z.enum(SUPPRESSION_REASONS).optional()),
    note: z.preprocess(blankIsAbsent, z.string().max(LONGEST_NOTE).optional()),
    expires_at: z.preprocess(blankIsAbsent, instantField.optional()),
  });
}

function inputOf(row: z.infer<ReturnType<typeof importRow>>, defaults: ImportDefaults): SuppressionInput {
  return {
    phoneNumber: row.phone_number,
    reason: row.reason ?? defaults.reason,
    note: row.note ?? defaults.note,
    expiresAt: row.expires_at ?? defaults.expiresAt,
  };
}

function errorsOf(
  { row, flaw }: ImportRow,
  error: z.ZodError | undefined,
  hasExpired: boolean,
): ImportError[] {
  if (flaw !== undefined) return [{ row, field: 'row', message: flaw }];
  if (hasExpired) return [{ row, field: 'expires_at', message: PAST }];
  return (error?.issues ?? []).map((issue) => ({
    row,
    field: issue.path.join('.'),
    message: messageOf(issue),
  }));
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_type') {
    return issue.message.endsWith('received undefined') ? 'is required' : 'must be text';
  }
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} characters`;
  return issue.message;
}
