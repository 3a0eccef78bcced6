import type { FastifySchemaCompiler } from 'fastify';
import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { idempotencyTransactions } from '#idempotency/idempotency-store.js';
import { flagQuery } from '#kernel/input/fields.js';
import { requestWarning, type RequestWarning } from '#kernel/input/request-warnings.js';
import type { ImportRow } from '#policy/suppressions/import-row.js';
import { importSuppressions, MAX_REPORTED } from '#policy/suppressions/suppression-import.js';
import {
  listDetails,
  rowsOf,
  suppressionDetails,
  suppressionList,
} from '#policy/suppressions/suppression-list.js';
import type { SuppressionListReader } from '#policy/suppressions/suppression-list-reader.js';
import { readSuppressionTable, suppressionTableText } from '#policy/suppressions/suppression-table.js';
import type { Suppressions } from '#policy/suppressions/suppressions.js';
import type { Store } from '#store/store.js';
import { JSON_TYPE } from '#http/requests/bodies.js';
import { acceptForms } from '#http/requests/forms.js';
import {
  LargeBody,
  LARGEST_MANY_ROWS_BYTES,
  largeBodyOf,
  acceptLargeBodies,
} from '#http/requests/large-bodies.js';
import { problemOfRefusedBody } from '#http/schemas/refused-body.js';
import { answer } from '#http/schemas/route-schema.js';
import { validateWithZod } from '#http/schemas/validation.js';

const TABLE_TYPES = ['text/csv', 'text/plain', 'text/tab-separated-values'];

const TABLE = 'phone_number,reason,note\n+15550100001,opt_out,by letter\n+15550100002,do_not_call,\n';

const dryRun = flagQuery.optional().meta({ description: 'Only report what would happen.', examples: [true] });

/** A form with a table in the field `file`, as browsers send it. */
const importForm = z
  .object({
    file: z.string().meta({ description: 'The list.', format: 'binary' }),
    dry_run: dryRun,
    ...listDetails,
  })
  .meta({
    id: 'SuppressionImportForm',
    description: 'A file of numbers that must not be called.',
    examples: [{ file: TABLE, reason: 'opt_out' }],
  });
type ImportForm = z.output<typeof importForm>;

const importQuery = z.object({
  dry_run: dryRun,
  reason: suppressionDetails.reason.meta({ description: 'The reason for rows that give none.' }),
});

const faultyRow = z.object({
  row: z.int().meta({ description: 'The line of the file, or the position in `phone_numbers`; from 1.' }),
  field: z.string().meta({ description: 'The invalid field.' }),
  message: z.string().meta({ description: 'What is wrong with it.' }),
});

const importResult = z
  .object({
    object: z.literal('suppression_import'),
    dry_run: z.boolean().meta({ description: 'Whether nothing was written.' }),
    valid: z.int().meta({ description: 'Rows that could be read.' }),
    invalid: z.int().meta({ description: 'Rows that were left out.' }),
    added: z.int().meta({ description: 'Numbers that were not on the list before.' }),
    unchanged: z.int().meta({ description: 'Rows whose number was there already.' }),
    errors: z
      .array(faultyRow)
      .meta({ description: `The rows that were skipped, and why; the first ${MAX_REPORTED} faults.` }),
    warnings: z.array(z.union([requestWarning, faultyRow])).meta({
      description:
        'Fields that are not known, and the rows that were added by their number alone, since they cannot be read behind ' +
        `that; the first ${MAX_REPORTED}.`,
    }),
  })
  .meta({
    id: 'SuppressionImportResult',
    description: 'What became of a list.',
    examples: [
      {
        object: 'suppression_import',
        dry_run: false,
        valid: 98,
        invalid: 1,
        added: 90,
        unchanged: 8,
        errors: [{ row: 7, field: 'phone_number', message: 'is not an E.164 number such as +14155550123' }],
        warnings: [],
      },
    ],
  });

/**
 * Validates all parts of a request except a JSON body, which {@link SuppressionListReader} validates on another thread.
 */
const validateImport: FastifySchemaCompiler<z.ZodType> = (part) =>
  part.schema === suppressionList ? (data) => ({ value: data }) : validateWithZod(part);

const tableText = z.string().meta({ description: 'The list, as a table.', examples: [TABLE] });
const plainText = z
  .string()
  .meta({ description: 'The list, one number per line.', examples: ['+15550100001\n+15550100002\n'] });

/**
 * The route that imports a suppression list: JSON, a table (as the body or as the file of a form), or plain lines of
 * numbers. Bad rows are skipped and reported; `dry_run` only reports. Requires the scope `write`.
 */
export const suppressionImportRoutes: FastifyPluginAsyncZod<{
  suppressions: Suppressions;
  reader: SuppressionListReader;
  store: Store;
  /** The country of phone numbers in national format, such as `DE`; without it, numbers begin with a calling code. */
  region?: CountryCode | undefined;
}> = async (server, { suppressions, reader, store, region }) => {
  acceptLargeBodies(server, [JSON_TYPE]);
  server.addContentTypeParser(TABLE_TYPES, { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) =>
    suppressionTableText(bytes, 'body'),
  );
  server.setValidatorCompiler(validateImport);
  await acceptForms(server, {
    largestFileBytes: LARGEST_MANY_ROWS_BYTES,
    // More fields than the form has.
    maxFields: 10,
    readFile: (bytes) => suppressionTableText(bytes, 'file'),
  });
  server.route({
    method: 'POST',
    url: '/api/suppressions/import',
    bodyLimit: LARGEST_MANY_ROWS_BYTES,
    config: { idempotent: true },
    schema: {
      operationId: 'importSuppressions',
      summary: 'Import a suppression list',
      description:
        'Takes JSON, CSV (`text/csv`, or the `file` of a form; columns `phone_number`, `reason`, ' +
        '`note`, `expires_at`) or plain text with one number per line; in UTF-8, or UTF-16 with its mark. ' +
        'Invalid rows are reported and skipped, the others are added; a row that cannot be read behind its number, such ' +
        'as for a stray quote, is added by that alone. A text in quotes may go on over lines, unless one of them may hold ' +
        'a number. A number that is listed twice, or was already on the list, keeps the later end; no end is the latest. ' +
        'Importing the same list again changes nothing.',
      tags: ['Calling policy'],
      querystring: importQuery,
      body: {
        content: {
          'application/json': { schema: suppressionList },
          'text/csv': { schema: tableText },
          'text/plain': { schema: plainText },
          'multipart/form-data': { schema: importForm },
        },
      },
      response: { 200: answer('The result of the import.', importResult) },
    },
    handler: async (request) => {
      const { query, principal, idempotency } = request;
      const { given, rows, warnings = [] } = await readBody(request.body, reader);
      const isDryRun = given.dry_run ?? query.dry_run ?? false;
      const defaults = {
        reason: given.reason ?? query.reason,
        note: given.note ?? null,
        expiresAt: given.expires_at ?? null,
      };
      suppressions.requireUnexpired(defaults.expiresAt);
      const options = { workspace: principal.workspace, defaults, region, isDryRun };
      const result = await importSuppressions(rows, options, suppressions);
      const shown = {
        object: 'suppression_import' as const,
        dry_run: isDryRun,
        ...result,
        warnings: [...warnings, ...result.warnings],
      };
      // The rows were written in many transactions, so the answer for repetitions is stored after them.
      const kept = idempotency?.answer(200, shown);
      if (kept) await store.write(idempotencyTransactions.keep, { answer: kept });
      return shown;
    },
  });
};

/**
 * Reads the body of any media type: its fields that apply to all rows, and the rows.
 * @throws Problem with the invalid fields in its details
 */
async function readBody(
  body: unknown,
  reader: SuppressionListReader,
): Promise<{
  given: Partial<Omit<ImportForm, 'file'>>;
  rows: AsyncIterable<ImportRow[]>;
  warnings?: RequestWarning[];
}> {
  // A table or plain lines, decoded by their parser.
  if (typeof body === 'string') return { given: {}, rows: readSuppressionTable(body, 'body') };
  // A form, validated by its schema; its file is decoded already.
  if (!(body instanceof LargeBody)) {
    const form = body as ImportForm;
    return { given: form, rows: readSuppressionTable(form.file, 'file') };
  }
  // JSON.
  const list = await reader.read(largeBodyOf(body));
  if (list.kind !== 'read') throw problemOfRefusedBody(list);
  return { given: list.given, rows: rowsOf(list), warnings: list.warnings };
}
