import type { CountryCode } from 'libphonenumber-js';
import { NO_INSTANT, NO_PHONE_NUMBER } from '#kernel/input/fields.js';
import { readPhoneNumber } from '#kernel/input/phone-number.js';
import { readInstant } from '#kernel/time/instants.js';
import { SUPPRESSION_REASONS, type SuppressionReason } from './suppression.js';
import { NOT_IN_FUTURE, type SuppressionInput } from './suppressions.js';

// Parses single rows of an import of suppressions, for `importSuppressions`.

/** One row of an import: cells by column. */
export interface ImportRow {
  /** The line of the table, or the position in the array, from 1. */
  row: number;
  cells: Readonly<Record<string, unknown>>;
  /** The error of a row that cannot be read to its end, such as an open quote; `cells` has the cells before it. */
  flaw?: string;
}

/** An error of a row. It does not repeat values, which are personal data. */
export interface ImportError {
  row: number;
  field: string;
  message: string;
}

/** Values for empty cells. */
export type ImportDefaults = Omit<SuppressionInput, 'phoneNumber'>;

/** Rules for reading rows. */
export interface RowRules {
  defaults: ImportDefaults;
  /** The country of numbers in national format. */
  region: CountryCode | undefined;
  /** @param expiresAt epoch milliseconds */
  hasExpired(expiresAt: number | null): boolean;
}

/** The error of a cell. Each kind of error is created once, as an import may have millions of invalid cells. */
class Fault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const MAX_NOTE_CHARACTERS = 500;
const MISSING = new Fault('is required');
const NOT_TEXT = new Fault('must be text');
const NOT_A_NUMBER = new Fault(NO_PHONE_NUMBER);
const NOT_A_REASON = new Fault(`must be one of ${SUPPRESSION_REASONS.join(', ')}`);
const LONG_NOTE = new Fault(`must have at most ${MAX_NOTE_CHARACTERS} characters`);
const NOT_A_TIME = new Fault(NO_INSTANT);

/**
 * Parses a row; returns all of its errors if it is invalid. Of a row with a flaw, only the number is read: it is
 * suppressed with the default values. No zod schema is used: it takes ten microseconds for an invalid row, and a list
 * of ten megabytes may have millions of them.
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
  const expiresAt = expiryIn(cells['expires_at'] ?? '') ?? defaults.expiresAt;
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
  if (hasExpired(expiresAt)) return [{ row, field: 'expires_at', message: NOT_IN_FUTURE }];
  return { phoneNumber, reason, note, expiresAt };
}

/** The phone number in a cell (E.164). */
function numberIn(cell: unknown, region: CountryCode | undefined): string | Fault {
  if (cell === undefined || cell === null || cell === '') return MISSING;
  if (typeof cell !== 'string') return NOT_TEXT;
  return readPhoneNumber(cell, region) ?? NOT_A_NUMBER;
}

/** The reason in a cell. Like `noteIn` and `expiryIn`, it returns undefined for an empty cell. */
function reasonIn(cell: unknown): SuppressionReason | undefined | Fault {
  if (cell === '') return undefined;
  return SUPPRESSION_REASONS.find((known) => known === cell) ?? NOT_A_REASON;
}

/** The note in a cell, or the fault of the cell; undefined if it is empty. */
function noteIn(cell: unknown): string | undefined | Fault {
  if (cell === '') return undefined;
  if (typeof cell !== 'string') return NOT_TEXT;
  return cell.length > MAX_NOTE_CHARACTERS ? LONG_NOTE : cell;
}

/** The expiry in a cell (epoch milliseconds), or the fault of the cell; undefined if it is empty. */
function expiryIn(cell: unknown): number | undefined | Fault {
  if (cell === '') return undefined;
  if (typeof cell !== 'string') return NOT_TEXT;
  return readInstant(cell) ?? NOT_A_TIME;
}
