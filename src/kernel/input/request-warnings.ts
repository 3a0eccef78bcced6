import { z } from 'zod';
import { closeName } from './close-name.js';
import type { KnownFields } from './known-fields.js';

// Warnings about requests that are accepted but probably contain a mistake, above all about misspelt fields.

/** The length at which names are cut in warnings. */
const MAX_NAME_CHARACTERS = 64;
/** The most unknown fields that are warned about in one body, or in one row of a long list. */
const MAX_WARNINGS = 20;
/** The most unknown fields that are warned about in all rows of a list, and the most rows that each warning names. */
const MAX_NAMES = 20;
const MAX_ROWS = 100;

/** A warning about a request that was accepted but probably does not do what was meant. */
export const requestWarning = z
  .object({
    code: z
      .enum(['field_not_known', 'variable_missing', 'number_not_allowed'])
      .meta({ description: 'What it is about, for programs.' }),
    field: z.string().meta({ description: 'The field, or the variable.' }),
    message: z.string().meta({ description: 'The same, for people.' }),
    count: z.int().optional().meta({ description: 'In how many rows of a list.' }),
    rows: z
      .array(z.int())
      .optional()
      .meta({ description: 'The first 100 of them; 1 is the first row.', examples: [[2, 7]] }),
  })
  .meta({
    id: 'RequestWarning',
    description: 'Something about a request that was accepted, but will hardly do what was meant.',
    examples: [
      {
        code: 'field_not_known',
        field: 'to_nubmer',
        message: 'to_nubmer is not known here and was ignored; did you mean to_number?',
      },
    ],
  });
export type RequestWarning = z.output<typeof requestWarning>;

/** `warnings` of a response. */
export const warningsField = z
  .array(requestWarning)
  .meta({ description: 'What of the request will hardly do what was meant; empty if nothing.' });

/** `warnings` of a resource: only in the response to the request that caused them, and absent without any. */
export const ownWarningsField = warningsField.optional().meta({
  description: 'What of the request will hardly do what was meant; only in its own answer, if anything.',
});

/** A resource with the warnings about the request that created or changed it. */
export function withWarnings<Resource extends object>(
  resource: Resource,
  warnings: readonly RequestWarning[],
): Resource & { warnings?: RequestWarning[] } {
  return warnings.length === 0 ? resource : { ...resource, warnings: [...warnings] };
}

/** Names that routes of this or another service use for the same field. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['to_phone', 'to_number', 'phone_number', 'to', 'phone', 'number'],
  ['from_phone', 'from_number', 'from', 'caller_id'],
  ['customer_data', 'customer_context', 'variables', 'data'],
  ['scheduled_time', 'scheduled_at', 'schedule_time', 'time'],
  ['cron_expression', 'cron'],
  ['agent_id', 'agent'],
  ['webhook_url', 'callback_url', 'url'],
];

/** Warnings about the fields of a request body that its route does not know; an inner field is named by its path. */
export function unknownFieldWarnings(body: unknown, known: KnownFields): RequestWarning[] {
  const warnings: RequestWarning[] = [];
  collectUnknown(body, known, { path: '', warnings });
  return warnings;
}

/** Adds a warning for each field of a value that is not among the known ones, at any depth. */
function collectUnknown(
  value: unknown,
  known: KnownFields,
  { path, warnings }: { path: string; warnings: RequestWarning[] },
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value))
    return value.forEach((item, at) => collectUnknown(item, known, { path: `${path}[${at}]`, warnings }));
  for (const [field, inside] of Object.entries(value)) {
    if (warnings.length >= MAX_WARNINGS) return;
    const fieldPath = path === '' ? field : `${path}.${field}`;
    const fields = known.get(field);
    if (fields === undefined) warnings.push(unknownFieldWarning(field, fieldPath, known));
    else if (fields !== null) collectUnknown(inside, fields, { path: fieldPath, warnings });
  }
}

/** The warning about one unknown field, with the known name that it resembles. */
function unknownFieldWarning(field: string, fieldPath: string, known: KnownFields): RequestWarning {
  const name = fieldPath.slice(0, MAX_NAME_CHARACTERS);
  const suggestion = suggestionFor(field, [...known.keys()]);
  const ending = suggestion === null ? '.' : `; did you mean ${suggestion}?`;
  const message = `${name} is not known here and was ignored${ending}`;
  return { code: 'field_not_known', field: name, message };
}

/** Collects the unknown fields in the rows of a long list, for batches of recipients and imports of suppressions. */
export class UnknownInRows {
  readonly #known: KnownFields;
  readonly #found = new Map<string, { warning: RequestWarning; count: number; rows: number[] }>();

  constructor(known: KnownFields) {
    this.#known = known;
  }

  /** Adds the unknown fields of one row. @param row the row's position, from 1 */
  addRow(value: unknown, row: number): void {
    for (const warning of unknownFieldWarnings(value, this.#known)) {
      const found = this.#found.get(warning.field) ?? { warning, count: 0, rows: [] };
      if (found.count === 0 && this.#found.size >= MAX_NAMES) continue;
      this.#found.set(warning.field, found);
      found.count += 1;
      if (found.rows.length < MAX_ROWS) found.rows.push(row);
    }
  }

  /** A warning for each unknown field, with the rows that have it. */
  warnings(): RequestWarning[] {
    return [...this.#found.values()].map(({ warning, count, rows }) => ({ ...warning, count, rows }));
  }
}

/** The known field that was probably meant: a similar name, or a synonym that other routes use; null without any. */
function suggestionFor(field: string, known: readonly string[]): string | null {
  const close = closeName(field, known);
  if (close !== null) return close;
  const group = SYNONYMS.find((names) => names.includes(field.toLowerCase()));
  return group?.find((name) => known.includes(name)) ?? null;
}
