import type { CountryCode } from 'libphonenumber-js';
import { NO_INSTANT, NO_PHONE_NUMBER } from '#kernel/input/fields.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { readInstant } from '#kernel/time/instants.js';
import { SUPPRESSION_REASONS, type SuppressionReason } from './suppression.js';
import { PAST, type SuppressionInput } from './suppressions.js';

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

/** What holds for rows that do not say. */
export type ImportDefaults = Omit<SuppressionInput, 'phoneNumber'>;

/** How rows are read. */
export interface RowRules {
  defaults: ImportDefaults;
  /** The country whose national numbers are understood. */
  region: CountryCode | undefined;
  /** Whether an end, in epoch milliseconds, has passed. */
  hasExpired(expiresAt: number | null): boolean;
}

/** Why a cell is not taken; made once, since there may be millions of such cells. */
class Fault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const LONGEST_NOTE = 500;
const MISSING = new Fault('is required');
const NOT_TEXT = new Fault('must be text');
const NOT_A_NUMBER = new Fault(NO_PHONE_NUMBER);
const NOT_A_REASON = new Fault(`must be one of ${SUPPRESSION_REASONS.join(', ')}`);
const LONG_NOTE = new Fault(`must have at most ${LONGEST_NOTE} characters`);
const NOT_A_TIME = new Fault(NO_INSTANT);

/**
 * What a row asks for, or all that is wrong with it. Not a schema: that takes ten microseconds to tell of a wrong row,
 * and a list of ten megabytes may hold millions of them.
 */
export function readImportRow(
  { row, cells, flaw }: ImportRow,
  { defaults, region, hasExpired }: RowRules,
): SuppressionInput | ImportError[] {
  const phoneNumber = numberIn(cells['phone_number'], region);
  if (flaw !== undefined) {
    if (phoneNumber instanceof Fault) return [{ row, field: 'row', message: flaw }];
    return { ...defaults, phoneNumber };
  }
  const reason = reasonIn(cells['reason'] ?? '') ?? defaults.reason;
  const note = noteIn(cells['note'] ?? '') ?? defaults.note;
  const expiresAt = endIn(cells['expires_at'] ?? '') ?? defaults.expiresAt;
  if (
    phoneNumber instanceof Fault ||
    reason instanceof Fault ||
    note instanceof Fault ||
    expiresAt instanceof Fault
  ) {
    const errors: ImportError[] = [];
    if (phoneNumber instanceof Fault)
      errors.push({ row, field: 'phone_number', message: phoneNumber.message });
    if (reason instanceof Fault) errors.push({ row, field: 'reason', message: reason.message });
    if (note instanceof Fault) errors.push({ row, field: 'note', message: note.message });
    if (expiresAt instanceof Fault) errors.push({ row, field: 'expires_at', message: expiresAt.message });
    return errors;
  }
  if (hasExpired(expiresAt)) return [{ row, field: 'expires_at', message: PAST }];
  return { phoneNumber, reason, note, expiresAt };
}

function numberIn(cell: unknown, region: CountryCode | undefined): string | Fault {
  if (cell === undefined || cell === null || cell === '') return MISSING;
  if (typeof cell !== 'string') return NOT_TEXT;
  return readPhoneNumber(cell, region) ?? NOT_A_NUMBER;
}

/** As the other cells, undefined where nothing is said. */
function reasonIn(cell: unknown): SuppressionReason | undefined | Fault {
  if (cell === '') return undefined;
  return SUPPRESSION_REASONS.find((known) => known === cell) ?? NOT_A_REASON;
}

function noteIn(cell: unknown): string | undefined | Fault {
  if (cell === '') return undefined;
  if (typeof cell !== 'string') return NOT_TEXT;
  return cell.length > LONGEST_NOTE ? LONG_NOTE : cell;
}

function endIn(cell: unknown): number | undefined | Fault {
  if (cell === '') return undefined;
  if (typeof cell !== 'string') return NOT_TEXT;
  return readInstant(cell) ?? NOT_A_TIME;
}
