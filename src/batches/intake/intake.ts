import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { freeFields, joinFields, knownFieldsOf } from '#kernel/input/known-fields.js';
import { unknownFieldWarnings, UnknownInRows, type RequestWarning } from '#kernel/input/request-warnings.js';
import { regionField } from '#kernel/input/fields.js';
import { messageOf } from '#kernel/input/issue-message.js';
import { readJsonBody, type Issue, type Refused } from '#kernel/input/json-body.js';
import { MAX_BATCH_NUMBERS } from '#batches/record/batch.js';
import {
  batchHeader,
  recipientField,
  RECIPIENT_FIELDS,
  type BatchHeader,
  type RecipientInput,
} from './batch-request.js';
import { RejectedInput, type RejectedRow } from '#batches/record/rejected-rows.js';
import { readTable, type RecipientTable, type RowPlace } from './recipient-table.js';

// Parses the body of a batch request, on the batch thread: a JSON list or a CSV table of recipients.

/** The body of a batch request, and how to parse it. */
export interface IntakeTask {
  /** `strict` refuses the request for one bad row; `lenient` leaves bad rows out and reports them. */
  mode: 'strict' | 'lenient';
  format: 'json' | 'csv';
  body: Uint8Array;
  /** Fields outside the table: the query and the form of a CSV import. */
  fields: Readonly<Record<string, unknown>>;
  region?: CountryCode | undefined;
  /** The regions that agents name, by the agent's id. */
  agentRegions?: ReadonlyMap<string, CountryCode>;
}

/** A recipient, in the form that is passed to the store's thread. */
export interface IntakeRecipient extends RecipientInput {
  /** Its position: 1 is the first of a list, and the first row of data in a table. */
  row: number;
  /** The number occurs earlier in the list; this row is not called. */
  duplicate: boolean;
  /** The row of the first occurrence; null if it is no duplicate. */
  firstRow: number | null;
}

/** An invalid row. */
export interface BadRow {
  /** Its position: 1 is the first of a list, and the first row of data in a table. */
  row: number;
  /** The line of the table (the heading is line 1); null in a list. */
  line: number | null;
  field: string;
  message: string;
  /** The value of the field as it was written; null if it is missing or no text. */
  value: string | null;
}

/** A parsed batch request. */
export interface Intake {
  header: BatchHeader;
  /** The valid rows as JSON texts of {@link IntakeRecipient}s, which are cheap to pass between threads. */
  slices: { text: string; count: number }[];
  /** The valid rows, duplicates included. */
  total: number;
  duplicates: number;
  /** All bad rows. */
  bad: BadRow[];
  /** The bad rows with their cells, for the results: JSON texts of many `RejectedRow`s each. */
  rejected: string[];
  /** Columns of a table other than number and name: the keys of `customer_data`. */
  columns: string[];
  /** Warnings about unknown fields. */
  warnings: RequestWarning[];
}

/** The parsed request, or its errors. */
export type IntakeAnswer =
  | { kind: 'read'; intake: Intake }
  /** `badRows` lists the index of every bad row, such as `1, 3-7, 9`, if `issues` does not report them all. */
  | (Refused & { badRows?: string });

/** The most rows of a slice: a slice keeps the store's thread busy for a few milliseconds only. */
const ROWS_PER_SLICE = 200;
/** The limit of issues in one response. */
const MAX_ISSUES = 100;
/** The length (characters) at which values of bad rows are cut. */
const MAX_VALUE_CHARACTERS = 64;

/** The known fields of a request, in a body or in a query. Recipients are checked row by row. */
const KNOWN = joinFields(knownFieldsOf(batchHeader())!, freeFields(['to_number', 'dry_run']));

/** Parses a body. Pure, and slow (a second for 10 MB), so it runs on a thread of its own. */
export function readIntake(request: IntakeTask): IntakeAnswer {
  if (request.format === 'json') {
    const body = readJsonBody(request.body);
    if (body.kind !== 'json') return body;
    return readRows(withRegion(request, body.json), body.json, { columns: [], places: null, flaws: [] });
  }
  const task = withRegion(request, request.fields);
  const table = readTable(task.body, task.region);
  if ('message' in table) return { kind: 'unreadable', code: 'validation_error', message: table.message };
  const { recipients, flaws } = table;
  // Too many lines, readable or not, are passed as rows, so that `readRows` refuses the table as too long: a response
  // about millions of unreadable lines would delay live audio.
  const isTooLong = recipients.length + flaws.length > MAX_BATCH_NUMBERS;
  const rows = isTooLong ? [...recipients, ...flaws] : recipients;
  return readRows(task, { ...task.fields, to_number: rows }, table);
}

/**
 * The task with the country of numbers in national format: the country that the batch names, else that of its agent,
 * else the default. An invalid country is refused later, with the other fields of the batch.
 */
function withRegion(task: IntakeTask, fields: unknown): IntakeTask {
  const named = z.object({ region: regionField }).safeParse(fields).data?.region;
  const agentId = z.object({ agent_id: z.string() }).safeParse(fields).data?.agent_id;
  const agentRegion = agentId === undefined ? undefined : task.agentRegions?.get(agentId);
  return { ...task, region: named ?? agentRegion ?? task.region };
}

/** Checks the fields of the batch and its rows, of a list or a table. */
function readRows(
  task: IntakeTask,
  body: unknown,
  table: Pick<RecipientTable, 'columns' | 'flaws'> & { places: readonly RowPlace[] | null },
): IntakeAnswer {
  const shape = z.object({
    // A table in which no line is readable is not refused as empty: its lines are reported below.
    to_number: z
      .array(z.unknown())
      .min(table.flaws.length > 0 ? 0 : 1)
      .max(MAX_BATCH_NUMBERS),
  });
  const list = shape.safeParse(body);
  const header = batchHeader(task.region).safeParse(body);
  // A body that is no object is reported once.
  const issues: Issue[] = [
    ...(list.error?.issues ?? []),
    ...(isObject(body) ? (header.error?.issues ?? []) : []),
  ];
  const sorted = sortRows(list.data?.to_number ?? [], task, table.places);
  if (task.mode === 'strict') issues.push(...sorted.issues);
  if (issues.length > 0 || !header.success) {
    const refused = { kind: 'invalid' as const, issues: issues.slice(0, MAX_ISSUES) };
    const isMore = task.mode === 'strict' && issues.length > MAX_ISSUES;
    return isMore ? { ...refused, badRows: rangesOf(sorted.bad.map(({ bad }) => bad)) } : refused;
  }
  const { good, duplicates } = sorted;
  const unreadableRows = table.flaws.map(({ flaw, recipient, ...place }) => ({
    bad: { ...place, field: 'row', message: flaw, value: null },
    input: recipient,
  }));
  const rejected = [...sorted.bad, ...unreadableRows].toSorted((a, b) => a.bad.row - b.bad.row);
  return {
    kind: 'read',
    intake: {
      header: header.data,
      slices: sliceUp(good),
      total: good.length,
      duplicates,
      bad: rejected.map(({ bad }) => bad),
      rejected: sliceUp(rejected.map(toRejectedRow)).map(({ text }) => text),
      columns: table.columns,
      warnings: [...unknownFieldWarnings(body, KNOWN), ...sorted.warnings],
    },
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A bad row and what was sent as it. */
interface RejectedInputRow {
  bad: BadRow;
  input: unknown;
}

/** Separates valid rows from invalid rows, and first occurrences of a number from repeats. */
function sortRows(rows: readonly unknown[], task: IntakeTask, places: readonly RowPlace[] | null) {
  const schema = recipientField(task.region);
  /** The first row of each number. */
  const seen = new Map<string, number>();
  const good: IntakeRecipient[] = [];
  const issues: Issue[] = [];
  const bad: RejectedInputRow[] = [];
  const unknown = new UnknownInRows(RECIPIENT_FIELDS);
  for (const [index, value] of rows.entries()) {
    const { row, line } = places?.[index] ?? { row: index + 1, line: null };
    const result = schema.safeParse(value);
    if (result.success) {
      const { phone_number: number } = result.data;
      const firstRow = seen.get(number) ?? null;
      good.push({ ...result.data, row, duplicate: firstRow !== null, firstRow });
      if (firstRow === null) seen.set(number, row);
      unknown.addRow(value, row);
      continue;
    }
    const [first] = result.error.issues;
    const field = String(first?.path[0] ?? 'row');
    const message = first ? messageOf(first) : 'is not valid';
    bad.push({ bad: { row, line, field, message, value: fieldText(value, field) }, input: value });
    if (issues.length > MAX_ISSUES) continue;
    const path = ['to_number', index];
    issues.push(...result.error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
  }
  return { good, issues, bad, duplicates: good.length - seen.size, warnings: unknown.warnings() };
}

/** The value of a row's field, if it is a text; long texts are cut. */
function fieldText(row: unknown, field: string): string | null {
  const written = isObject(row) ? (row as Record<string, unknown>)[field] : row;
  return typeof written === 'string' ? written.slice(0, MAX_VALUE_CHARACTERS) : null;
}

/** The indexes of bad rows as text, such as `1, 3-7, 9`, counted from 0 like the paths of fields. */
function rangesOf(bad: readonly BadRow[]): string {
  const ranges: [number, number][] = [];
  for (const row of bad.map(({ row: position }) => position - 1)) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function toRejectedRow({ bad: { row, field, message }, input }: RejectedInputRow): RejectedRow {
  return { row, field, message, input: RejectedInput.parse(isObject(input) ? input : {}) };
}

/** Rows as JSON texts of at most {@link ROWS_PER_SLICE} rows each. */
function sliceUp(rows: readonly unknown[]): Intake['slices'] {
  const slices: Intake['slices'] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_SLICE) {
    const slice = rows.slice(from, from + ROWS_PER_SLICE);
    slices.push({ text: JSON.stringify(slice), count: slice.length });
  }
  return slices;
}
