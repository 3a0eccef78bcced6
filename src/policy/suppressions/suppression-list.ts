import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { instantField, optional, optionalWithDefault, textField } from '#kernel/input/fields.js';
import { readJsonBody, type Refused } from '#kernel/input/json-body.js';
import { freeFields, knownFieldsOf } from '#kernel/input/known-fields.js';
import { unknownFieldWarnings, UnknownInRows, type RequestWarning } from '#kernel/input/request-warnings.js';
import { SUPPRESSION_REASONS } from './suppression.js';
import type { ImportRow } from './import-row.js';

// The JSON form of an import of suppressions: its schema, and its parsing on the thread of `SuppressionListReader`.

/** The most numbers of an import as JSON. */
const MAX_NUMBERS = 100_000;
/** The limit of errors in one response. */
const MAX_ISSUES = 100;
/** How many rows a slice has: few enough to be parsed between two frames of audio (20 ms). */
const ROWS_PER_SLICE = 200;

/** The fields of an entry other than its number. */
export const suppressionDetails = {
  reason: optionalWithDefault(z.enum(SUPPRESSION_REASONS), 'other').meta({
    description: 'Why it must not be called.',
    examples: ['opt_out'],
  }),
  note: optional(textField(500)).meta({ description: 'A note of your own.', examples: ['asked by e-mail'] }),
  expires_at: optional(instantField).meta({ description: 'When the entry expires; never, if omitted.' }),
};

/** {@link suppressionDetails} as the defaults of a list. The default reason is the one in the query. */
export const listDetails = {
  ...suppressionDetails,
  reason: optional(z.enum(SUPPRESSION_REASONS)).meta({
    description: 'The reason for entries that give none; the `reason` of the query, if omitted.',
    examples: ['opt_out'],
  }),
};

/** An import as JSON. */
export const suppressionList = z
  .object({
    phone_numbers: z
      .array(z.union([z.string(), z.record(z.string(), z.unknown())]))
      .min(1)
      .max(MAX_NUMBERS)
      .meta({
        description: 'Numbers, or objects with `phone_number`, `reason`, `note` and `expires_at`.',
        examples: [['+14155550123', { phone_number: '+14155550124', reason: 'complaint' }]],
      }),
    dry_run: optional(z.boolean()).meta({ description: 'Only report what would happen.', examples: [true] }),
    ...listDetails,
  })
  .meta({
    id: 'SuppressionImport',
    description: 'A list of numbers that must not be called.',
    examples: [{ phone_numbers: ['+15550100002', { phone_number: '+15550100003', reason: 'complaint' }] }],
  });
type SuppressionList = z.output<typeof suppressionList>;

const LIST_FIELDS = knownFieldsOf(suppressionList)!;
const ROW_FIELDS = freeFields(['phone_number', ...Object.keys(suppressionDetails)]);

/**
 * A parsed import. The rows are in JSON texts of {@link ROWS_PER_SLICE} rows each: texts are cheap to clone between
 * threads. `given` has the other fields of the request.
 */
export interface ReadList {
  kind: 'read';
  given: Omit<SuppressionList, 'phone_numbers'>;
  slices: string[];
  /** The unknown fields of the list and of its rows. */
  warnings: RequestWarning[];
}

/** Parses and validates an import. It takes a third of a second for 10 MB, so it runs on a thread. */
export function readSuppressionList(bytes: Uint8Array): ReadList | Refused {
  const body = readJsonBody(bytes);
  if (body.kind !== 'json') return body;
  const list = suppressionList.safeParse(body.json);
  if (!list.success) return { kind: 'invalid', issues: list.error.issues.slice(0, MAX_ISSUES) };
  const { phone_numbers: items, ...given } = list.data;
  const slices: string[] = [];
  const unknown = new UnknownInRows(ROW_FIELDS);
  for (const [index, item] of items.entries()) unknown.addRow(item, index + 1);
  for (let from = 0; from < items.length; from += ROWS_PER_SLICE) {
    const rows = items.slice(from, from + ROWS_PER_SLICE).map((item, index) => rowOf(item, from + index + 1));
    slices.push(JSON.stringify(rows));
  }
  const warnings = [...unknownFieldWarnings(body.json, LIST_FIELDS), ...unknown.warnings()];
  return { kind: 'read', given, slices, warnings };
}

/** The rows of an import, slice by slice; yields to the event loop between slices. */
export async function* rowsOf({ slices }: ReadList): AsyncGenerator<ImportRow[]> {
  for (const slice of slices) {
    yield JSON.parse(slice) as ImportRow[];
    await nextTurn();
  }
}

/** An item of the list as a row. @param row its position, from 1 */
function rowOf(item: SuppressionList['phone_numbers'][number], row: number): ImportRow {
  return { row, cells: typeof item === 'string' ? { phone_number: item } : item };
}
