import { z } from 'zod';
import { warningsField } from '#kernel/input/request-warnings.js';
import { instantOut } from '#kernel/input/fields.js';
import { FORECAST_MS } from './simulate-batch.js';

// The response of `POST /api/batches/preflight`, the forecast of a batch before it is created; schema for OpenAPI.

const row = z
  .int()
  .meta({ description: 'Where it stands: 1 is the first of a list, or the first row of data.' });

/** A row that cannot be called, as the responses of the preflight and of a CSV import show it. */
export const badRow = z.object({
  row,
  line: z.int().nullable().meta({ description: 'Its line in a CSV file, whose heading is line 1.' }),
  field: z.string(),
  message: z.string(),
  value: z.string().nullable().meta({ description: 'What stands in the field, as it was written.' }),
});

const namedRows = z.object({
  count: z.int(),
  rows: z
    .array(
      z.object({
        row,
        phone_number: z.string(),
        reason: z.string(),
        until: instantOut.nullable().meta({ description: 'When it would be called; null for never.' }),
        message: z.string(),
      }),
    )
    .meta({ description: 'The first 1000 of them.' }),
});

/** Response of `POST /api/batches/preflight`. */
export const preflightResource = z
  .object({
    object: z.literal('batch_preflight'),
    total_numbers: z.int(),
    valid: z.int().meta({ description: 'Rows that can be read, without those that repeat a number.' }),
    callable_numbers: z.int().meta({ description: 'Numbers that would be called.' }),
    columns: z.array(z.string()).meta({
      description: 'Columns of a CSV file besides number and name: they become `customer_data`.',
      examples: [['plan', 'city']],
    }),
    invalid: z.object({
      count: z.int(),
      rows: z.array(badRow),
    }),
    duplicates: namedRows,
    suppressed: namedRows,
    refused: namedRows.meta({ description: 'Numbers that are never called for another reason.' }),
    deferred: namedRows.meta({
      description: 'Numbers that may not be called yet when their turn first comes, and are called later.',
    }),
    warnings: warningsField,
    hours: z
      .array(z.object({ starts_at: instantOut, calls: z.int(), peak_concurrency: z.int() }))
      .meta({ description: 'Hours (UTC) in which calls would be placed.' }),
    scheduled_at: instantOut,
    first_call_at: instantOut.nullable(),
    projected_finish: instantOut
      .nullable()
      .meta({ description: 'Null if nobody would be called, or not everybody within the forecast.' }),
    peak_concurrency: z.int(),
    unplanned_numbers: z.int().meta({
      description: `Numbers that would still wait ${FORECAST_MS / 86_400_000} days after the start, where the forecast ends.`,
    }),
    expected_cost_usd: z.number().meta({
      description:
        'Based on what the carrier charged for earlier calls; the sandbox network charges nothing.',
    }),
    assumptions: z
      .object({
        talk_seconds: z.int(),
        ring_seconds: z.int(),
        cost_usd_per_call: z.number(),
        calls_looked_at: z
          .int()
          .meta({ description: 'The number of recent calls that these values come from.' }),
        max_concurrency: z.int(),
        calls_per_second: z.number(),
      })
      .meta({ description: 'What the forecast is based on. Retries are not included.' }),
  })
  .meta({
    id: 'BatchPreflight',
    description: 'The forecast of a batch.',
    examples: [
      {
        object: 'batch_preflight',
        total_numbers: 2,
        valid: 1,
        callable_numbers: 1,
        columns: [],
        invalid: { count: 0, rows: [] },
        duplicates: {
          count: 1,
          rows: [
            {
              row: 2,
              phone_number: '+14155550123',
              reason: 'duplicate',
              until: null,
              message: 'has the number of row 1',
            },
          ],
        },
        suppressed: { count: 0, rows: [] },
        refused: { count: 0, rows: [] },
        deferred: { count: 0, rows: [] },
        warnings: [],
        hours: [{ starts_at: '2026-12-01T15:00:00.000Z', calls: 1, peak_concurrency: 1 }],
        scheduled_at: '2026-12-01T15:00:00.000Z',
        first_call_at: '2026-12-01T15:00:00.000Z',
        projected_finish: '2026-12-01T15:01:08.000Z',
        peak_concurrency: 1,
        unplanned_numbers: 0,
        expected_cost_usd: 0,
        assumptions: {
          talk_seconds: 60,
          ring_seconds: 8,
          cost_usd_per_call: 0,
          calls_looked_at: 0,
          max_concurrency: 10,
          calls_per_second: 1,
        },
      },
    ],
  });
