/** A valid cron expression, in which every list, range, step and name is replaced by the numbers that it stands for. */
export interface CronFields {
  /** The five fields, in the syntax of cron-parser: `0,30 9 * * 1,2,3`. The extensions `L`, `5L` and `1#2` stay. */
  expression: string;
  /** True if the hour field is `*` or `*` with step 1: then runs follow elapsed time across clock changes. */
  isEveryHour: boolean;
}

/** The result of reading an expression. */
export type CronReading = { ok: true; fields: CronFields } | { ok: false; message: string };

/** The limit of characters of an expression. */
const MAX_CHARACTERS = 256;
/** Non-ASCII text is refused: some letters become ASCII when capitalised, and non-ASCII blanks would be trimmed. */
const NOT_ASCII = /[^\t -~]/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
/** The most days of each month; February in a leap year. */
const MAX_DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The grammar of a field: its range and its names. */
interface FieldRule {
  name: string;
  min: number;
  max: number;
  /** Number of different values. */
  size: number;
  /** Names of the values, starting at `min`. */
  names?: readonly string[];
  /** Text that is allowed in place of a list, after names were replaced by numbers. */
  extension?: RegExp;
}

const MINUTE: FieldRule = { name: 'minute', min: 0, max: 59, size: 60 };
const HOUR: FieldRule = { name: 'hour', min: 0, max: 23, size: 24 };
const DAY_OF_MONTH: FieldRule = { name: 'day-of-month', min: 1, max: 31, size: 31, extension: /^L$/ };
const MONTH: FieldRule = { name: 'month', min: 1, max: 12, size: 12, names: MONTHS };
/** 0 and 7 are Sunday. */
const DAY_OF_WEEK: FieldRule = {
  name: 'day-of-week',
  min: 0,
  max: 7,
  size: 7,
  names: DAYS,
  extension: /^[0-7](?:L|#[1-5])$/,
};
const FIELDS = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK] as const;

/** A parsed field. */
interface Field {
  text: string;
  /** The matching values, sorted; null for `*` and the extensions. */
  values: readonly number[] | null;
}

/**
 * Parses a cron expression by a strict grammar: five fields of numbers, `*`, lists, ranges, steps on `*` or on a range,
 * `SUN`–`SAT` and `JAN`–`DEC`, and, alone in their field, `L`, `5L` and `1#2`. Any other text is refused with a
 * message, which names the field if a single field is invalid: libraries accept far more, down to the empty text.
 */
export function readCron(text: string): CronReading {
  if (text.length > MAX_CHARACTERS) return refuse(`must not be longer than ${MAX_CHARACTERS} characters`);
  if (NOT_ASCII.test(text)) return refuse('must be plain text, without other letters or line breaks');
  const texts = text
    .trim()
    .toUpperCase()
    .split(/[ \t]+/);
  if (texts.length !== FIELDS.length || texts[0] === '')
    return refuse('must have exactly five fields: minute hour day-of-month month day-of-week');
  const fields: Field[] = [];
  for (const [i, rule] of FIELDS.entries()) {
    const field = readField(texts[i]!, rule);
    if (field === null) return refuse(`has a ${rule.name} field that cannot be read`);
    fields.push(field);
  }
  if (neverOccurs(fields)) return refuse('names only days that no month has');
  const expression = fields.map((field) => field.text).join(' ');
  return { ok: true, fields: { expression, isEveryHour: fields[1]!.text === '*' } };
}

function refuse(message: string): CronReading {
  return { ok: false, message };
}

/** Parses one field; null if it is invalid. */
function readField(text: string, rule: FieldRule): Field | null {
  if (text === '*' || text === '*/1') return { text: '*', values: null };
  const numbered = withNumbers(text, rule);
  if (rule.extension?.test(numbered)) return { text: numbered.replace(/^7/, '0'), values: null };
  const seen = new Set<string>();
  const values = new Set<number>();
  for (const item of text.split(',')) {
    const found = readItem(item, rule);
    // An item that repeats the values of another item is refused as a slip.
    if (found === null || seen.has(found.join())) return null;
    seen.add(found.join());
    for (const value of found) values.add(value);
  }
  const sorted = [...values].sort((a, b) => a - b);
  return { text: sorted.join(), values: sorted };
}

/** Replaces names by numbers: `FRIL` → `5L`, `MON#2` → `1#2`. */
function withNumbers(text: string, rule: FieldRule): string {
  const nameIndex = rule.names?.indexOf(text.slice(0, 3)) ?? -1;
  return nameIndex < 0 ? text : `${nameIndex + rule.min}${text.slice(3)}`;
}

/** One item of a list: `*`, a value or a range, with an optional step (`MON-FRI/2`), which `readItem` checks. */
const ITEM = /^(?:(\*)|([0-9]{1,2}|[A-Z]{3})(?:-([0-9]{1,2}|[A-Z]{3}))?)(?:\/([0-9]{1,2}))?$/;

/**
 * The sorted values of one list item; null if it is invalid. A single value takes no step. `*` without a step, or with
 * step 1, is valid only as the whole field.
 */
function readItem(item: string, rule: FieldRule): number[] | null {
  const match = ITEM.exec(item);
  if (!match) return null;
  const [, star, first, last, stepText] = match;
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step < 1 || step > rule.size) return null;
  if (star) return step === 1 ? null : stepped(rule.min, rule.min + rule.size - 1, step, rule);
  const from = readValue(first!, rule);
  if (from === null) return null;
  if (last === undefined) return stepText === undefined ? [from % wrap(rule)] : null;
  // In `FRI-SUN`, Sunday is the day after Saturday (7), not the first of the week (0).
  const to = rule === DAY_OF_WEEK && last === 'SUN' && from > 0 ? 7 : readValue(last, rule);
  return to === null || from > to ? null : stepped(from, to, step, rule);
}

/** A number or a name as a value of the field; null if it is neither. */
function readValue(text: string, rule: FieldRule): number | null {
  const nameIndex = rule.names?.indexOf(text) ?? -1;
  if (nameIndex >= 0) return nameIndex + rule.min;
  const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
  return value >= rule.min && value <= rule.max ? value : null;
}

/** Every `step`-th value of a range. */
function stepped(from: number, to: number, step: number, rule: FieldRule): number[] {
  const values = new Set<number>();
  for (let value = from; value <= to; value += step) values.add(value % wrap(rule));
  return [...values].sort((a, b) => a - b);
}

/** The number at which values begin again: 7 for days of the week (7 is 0), none for other fields. */
function wrap(rule: FieldRule): number {
  return rule === DAY_OF_WEEK ? 7 : Infinity;
}

/**
 * True if none of the named months has any of the days, as in `30 2` (30 February), and no day of the week is an
 * alternative. The first day is the lowest: if no month has it, no month has the others.
 */
function neverOccurs(fields: readonly Field[]): boolean {
  const [days, months, weekdays] = [fields[2]!, fields[3]!, fields[4]!];
  if (days.values === null || weekdays.text !== '*') return false;
  const first = days.values[0]!;
  return months.values !== null && months.values.every((month) => first > MAX_DAYS_OF_MONTHS[month - 1]!);
}
