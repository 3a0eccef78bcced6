import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import { messageOf } from '#kernel/input/issue-message.js';
import { readJsonBody, type Issue, type Refused } from '#kernel/input/json-body.js';
import { LARGEST_BATCH } from '#batches/record/batch.js';
import { batchHeader, recipientField, type BatchHeader, type RecipientInput } from './batch-request.js';
import { readTable, type RecipientTable } from './recipient-table.js';

/** The body of a batch request, and how to read it. */
export interface IntakeTask {
  /** `strict` refuses the request for one bad row; `lenient` leaves bad rows out and reports them. */
  mode: 'strict' | 'lenient';
  format: 'json' | 'csv';
  body: Uint8Array;
  /** Fields outside the body: the query of a CSV import. */
  fields: Readonly<Record<string, unknown>>;
  region?: CountryCode | undefined;
}

/** One recipient, as passed to the store's thread. */
export interface IntakeRecipient extends RecipientInput {
  /** Index in a list, or line of a table. */
  row: number;
  /** The number occurs earlier in the list; this row is not called. */
  duplicate: boolean;
}

/** An invalid row. */
export interface BadRow {
  /** Index in a list, or line of a table (the heading is line 1). */
  row: number;
  field: string;
  message: string;
}

/**
 * A parsed batch request. Recipients are JSON texts of some hundred each, which are cheap to pass between threads.
 */
export interface Intake {
  header: BatchHeader;
  slices: { text: string; count: number }[];
  total: number;
  duplicates: number;
  /** All bad rows. */
  bad: BadRow[];
  /** Columns of a table besides number and name: the keys of `customer_data`. */
  columns: string[];
}

/** The parsed request, or its errors. */
export type IntakeAnswer =
  | { kind: 'read'; intake: Intake }
  /** `badRows` lists every bad row, such as `1, 3-7, 9`, if there are more than `issues` reports. */
  | (Refused & { badRows?: string });

/** Small enough to keep the store's thread busy for a few milliseconds only. */
const NUMBERS_PER_SLICE = 200;
/** The most issues in one response. */
const MOST_ISSUES = 100;

/** Parses a batch request. Pure but slow (a second for 10 MB), so it runs on a thread of its own. */
export function readIntake(task: IntakeTask): IntakeAnswer {
  if (task.format === 'csv') {
    const table = readTable(task.body, task.region);
    if ('message' in table) return { kind: 'unreadable', code: 'validation_error', message: table.message };
    const { recipients, flaws } = table;
    // Unreadable lines count as well: a response with millions of them would hold up live audio.
    const isTooLong = recipients.length + flaws.length > LARGEST_BATCH;
    const rows = isTooLong ? [...recipients, ...flaws] : recipients;
    return readRows(task, { ...task.fields, to_number: rows }, table);
  }
  const body = readJsonBody(task.body);
  return body.kind === 'json' ? readRows(task, body.json, { columns: [], lines: null, flaws: [] }) : body;
}

function readRows(
  task: IntakeTask,
  body: unknown,
  table: Pick<RecipientTable, 'columns' | 'flaws'> & { lines: readonly number[] | null },
): IntakeAnswer {
  const shape = z.object({
    // Unreadable lines are rows too, and are reported below.
    to_number: z
      .array(z.unknown())
      .min(table.flaws.length > 0 ? 0 : 1)
      .max(LARGEST_BATCH),
  });
  const list = shape.safeParse(body);
  const header = batchHeader(task.region).safeParse(body);
  // A body that is no object is reported once.
  const issues: Issue[] = [
    ...(list.error?.issues ?? []),
    ...(isObject(body) ? (header.error?.issues ?? []) : []),
  ];
  const sorted = sortRows(list.data?.to_number ?? [], task, table.lines);
  if (task.mode === 'strict') issues.push(...sorted.issues);
  if (issues.length > 0 || !header.success) {
    const refused = { kind: 'invalid' as const, issues: issues.slice(0, MOST_ISSUES) };
    const isMore = task.mode === 'strict' && issues.length > MOST_ISSUES;
    return isMore ? { ...refused, badRows: rangesOf(sorted.bad) } : refused;
  }
  const { good, duplicates } = sorted;
  const unread = table.flaws.map(({ line, flaw }) => ({ row: line, field: 'row', message: flaw }));
  const bad = [...sorted.bad, ...unread].toSorted((a, b) => a.row - b.row);
  return {
    kind: 'read',
    intake: {
      header: header.data,
      slices: sliceUp(good),
      total: good.length,
      duplicates,
      bad,
      columns: table.columns,
    },
  };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Separates valid rows from bad ones, and marks duplicates. */
function sortRows(rows: readonly unknown[], task: IntakeTask, lines: readonly number[] | null) {
  const schema = recipientField(task.region);
  const seen = new Set<string>();
  const good: IntakeRecipient[] = [];
  const issues: Issue[] = [];
  const bad: BadRow[] = [];
  for (const [index, value] of rows.entries()) {
    const row = lines?.[index] ?? index;
    const result = schema.safeParse(value);
    if (result.success) {
      const { phone_number: number } = result.data;
      good.push({ ...result.data, row, duplicate: seen.has(number) });
      seen.add(number);
      continue;
    }
    const [first] = result.error.issues;
    bad.push({
      row,
      field: String(first?.path[0] ?? 'row'),
      message: first ? messageOf(first) : 'is not valid',
    });
    if (issues.length > MOST_ISSUES) continue;
    const path = ['to_number', index];
    issues.push(...result.error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] })));
  }
  return { good, issues, bad, duplicates: good.length - seen.size };
}

/** Such as `1, 3-7, 9`. */
function rangesOf(bad: readonly BadRow[]): string {
  const ranges: [number, number][] = [];
  for (const { row } of bad) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

function sliceUp(recipients: readonly IntakeRecipient[]): Intake['slices'] {
  const slices: Intake['slices'] = [];
  for (let from = 0; from < recipients.length; from += NUMBERS_PER_SLICE) {
    const slice = recipients.slice(from, from + NUMBERS_PER_SLICE);
    slices.push({ text: JSON.stringify(slice), count: slice.length });
  }
  return slices;
}
