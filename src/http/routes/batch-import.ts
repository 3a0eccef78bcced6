import type { CountryCode } from 'libphonenumber-js';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { batchResource } from '#batches/changes/batch-resource.js';
import type { Batches } from '#batches/changes/batches.js';
import { badRow, preflightResource } from '#batches/preflight/preflight-resource.js';
import type { Preflights } from '#batches/preflight/preflights.js';
import { batchHeader } from '#batches/intake/batch-request.js';
import type { Intake } from '#batches/intake/intake.js';
import { fieldProblem, Problem } from '#kernel/errors/errors.js';
import { flagQuery } from '#kernel/input/fields.js';
import { acceptForms } from '#http/requests/forms.js';
import {
  LargeBody,
  LARGEST_MANY_ROWS_BYTES,
  largeBodyOf,
  LARGE_BODY_ROUTE,
  acceptLargeBodies,
} from '#http/requests/large-bodies.js';
import { keepAnswerOf } from '#idempotency/replay-answers.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { readBatchBody, type BatchIntakeParts } from './batch-intake.js';
import { readTableFields, TABLE_TYPES, tableQuery, tableText } from './batch-table.js';

const badRows = z.array(badRow).meta({ description: 'Rows that are invalid, or cannot be read.' });

const imported = batchResource
  .extend({
    skipped: z.int().meta({ description: 'Rows that were skipped because they are invalid.' }),
    errors: badRows,
  })
  .meta({ id: 'BatchImported', description: 'A batch that was imported.' });

const dryRunField = {
  dry_run: flagQuery.optional().meta({ description: 'Only report what would happen.', examples: [true] }),
};

/** The fields of a batch in a form with a table, for the OpenAPI document only. */
function importForm(region?: CountryCode) {
  const file = z.string().meta({ description: 'The table.', format: 'binary' });
  return z.object({ file, ...dryRunField, ...batchHeader(region).shape }).meta({
    id: 'BatchImportForm',
    description: 'A table of recipients, and the fields of a batch.',
    examples: [{ file: 'phone_number,name\n+15550100001,Ada\n', name: 'Deliveries', max_concurrency: 5 }],
  });
}

/**
 * The route that creates a batch from a table (CSV as the body, or as the file of a form), or only forecasts it with
 * `dry_run`. Bad rows are skipped and reported. Requires the scope `write`.
 */
export const batchImportRoutes: FastifyPluginAsyncZod<
  BatchIntakeParts & { batches: Batches; preflights: Preflights }
> = async (server, { batches, preflights, reader, agentRegions, region }) => {
  acceptLargeBodies(server, TABLE_TYPES);
  await acceptForms(server, {
    largestFileBytes: LARGEST_MANY_ROWS_BYTES,
    // More fields than a batch has.
    maxFields: 30,
    readFile: (bytes) => LargeBody.of(bytes),
  });
  server.route({
    method: 'POST',
    url: '/api/batches/import',
    // `madeUnder`: the path of the created batch, which is not below this route's path.
    config: { idempotent: true, madeUnder: '/api/batches' },
    ...LARGE_BODY_ROUTE,
    schema: {
      operationId: 'importBatch',
      summary: 'Import a batch from CSV',
      description:
        'CSV as the body (`text/csv`) or as the field `file` of a form. One column must be ' +
        '`phone_number`, `phone`, `to` or `number`; `name` is optional; `metadata.<name>` goes to `metadata`, all others to ' +
        '`customer_data`. Lines with invalid numbers, and lines that cannot be read, are skipped and reported. ' +
        'Text in quotes may span lines, none of which may have a number in the column of numbers. The other fields of a ' +
        'batch (`name`, `scheduled_time`, `agent_id`, `max_concurrency` …) go into the query or the ' +
        'form.',
      tags: ['Batches'],
      body: {
        content: {
          'text/csv': { schema: tableText },
          'multipart/form-data': { schema: importForm(region) },
        },
      },
      querystring: tableQuery(region).extend(dryRunField),
      response: {
        200: answer(
          'What would happen (`dry_run`), as `POST /api/batches/preflight` reports it.',
          preflightResource,
        ),
        201: answer('The batch is accepted.', imported),
        ...problems(404),
      },
    },
    handler: async (request, reply) => {
      const query = request.query as Record<string, unknown>;
      const { bytes, form } = bodyOf(request.body);
      const fields = readTableFields({ ...query, ...form });
      const { principal } = request;
      // `lenient`: invalid rows are skipped.
      const intake = await readBatchBody({ mode: 'lenient', format: 'csv', body: bytes, fields }, principal, {
        reader,
        agentRegions,
        region,
      });
      if (readFlag(fields['dry_run'])) {
        await batches.check(principal, intake);
        return reply.code(200).send(await preflights.forecast(principal, intake));
      }
      if (intake.total === 0) throw noRecipientsProblem(intake);
      const skippedRows = { skipped: intake.bad.length, errors: intake.bad };
      const keep = keepAnswerOf(request, 201);
      const batch = await batches.create(principal, intake, (made) => keep({ ...made, ...skippedRows }));
      return reply
        .code(201)
        .header('location', `/api/batches/${batch.id}`)
        .send({ ...batch, ...skippedRows });
    },
  });
};

/**
 * The bytes of the table, and the other fields if the request is a form.
 * @throws Problem `validation_error` if a form has no file
 */
function bodyOf(body: unknown): { bytes: Uint8Array; form: Record<string, unknown> } {
  if (body instanceof LargeBody || typeof body !== 'object' || body === null)
    return { bytes: largeBodyOf(body), form: {} };
  const { file, ...form } = body as Record<string, unknown>;
  if (file instanceof LargeBody) return { bytes: file.bytes, form };
  throw fieldProblem('validation_error', 'file', 'is required', 'required');
}

/** Reads the flag `dry_run`: the text of a query or a form, or absent. @throws Problem `validation_error` */
function readFlag(flag: unknown): boolean {
  if (flag === undefined) return false;
  const read = flagQuery.safeParse(flag);
  if (read.success) return read.data;
  throw fieldProblem('validation_error', 'query.dry_run', 'must be true or false', 'invalid_value');
}

/** The problem of a table without a valid row. */
function noRecipientsProblem({ bad }: Intake): Problem {
  return new Problem('validation_error', 'The table has no line that can be called.', {
    details: bad
      .slice(0, 100)
      .map(({ row, field, message }) => ({ field: `row ${row}.${field}`, code: 'invalid_value', message })),
  });
}
