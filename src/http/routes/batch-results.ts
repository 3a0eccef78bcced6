import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { resultsTable } from '#batches/results/results-csv.js';
import type { Store } from '#store/store.js';
import { batchPath } from './batches.js';

/**
 * The route that downloads a batch's calls and their outcomes as a CSV table, streamed page by page. Requires the scope
 * `read`.
 */
export const batchResultRoutes: FastifyPluginAsyncZod<{ store: Store }> = async (server, { store }) => {
  server.route({
    method: 'GET',
    url: '/api/batches/:batch_id/results.csv',
    schema: {
      operationId: 'getBatchResults',
      summary: 'Get the results of a batch as CSV',
      description:
        'One line for each number, in the order of the request, then one for each row that was rejected. Values that a spreadsheet would read ' +
        'as a formula are prefixed with an apostrophe. `answers` holds JSON: the answers of the call by their names. The last ' +
        'columns are what was sent with the numbers: `customer_data`, and `metadata` as `metadata.<name>`.',
      tags: ['Batches'],
      params: batchPath,
      response: {
        200: {
          description: 'The CSV file.',
          content: { 'text/csv': { schema: z.string().meta({ description: 'RFC 4180, UTF-8.' }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const { batch, table } = await resultsTable(store, request.principal, request.params.batch_id);
      return (
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${batch.id}.csv"`)
          // The schema for the document says text; the table is a stream of it.
          .send(table as never)
      );
    },
  });
};
