import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { CallViews } from '#calls/call-views.js';
import type { Calls } from '#calls/calls.js';
import {
  callEventResource,
  callUsageResource,
  toEventResource,
  toTranscriptResource,
  toUsageResource,
  transcriptResource,
} from '#calls/resources/talk-resource.js';
import { callSummary, toCallSummary } from '#calls/resources/call-summary.js';
import { turnWaterfall, toTurnWaterfall } from '#calls/resources/turn-waterfall.js';
import { callMetricsResource } from '#calls/resources/talk-metrics.js';
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from '#calls/talk/transcript-formats.js';
import { listOf, listQuery, answerWithPage } from '#http/answers/lists.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import { callPath } from './call-path.js';

const formatNames = Object.keys(TRANSCRIPT_FORMATS) as [TranscriptFormat, ...TranscriptFormat[]];
const textTranscript = z.string().meta({ description: 'The transcript in that format.' });

/**
 * The routes that show a call's conversation: transcript, model usage, metrics, turns, events and summary; and one that
 * has it analysed again. Reading requires the scope `read`, the new analysis `write`.
 */
export const callTalkRoutes: FastifyPluginAsyncZod<{ calls: Calls; views: CallViews }> = async (
  server,
  { calls, views },
) => {
  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/transcript',
    schema: {
      operationId: 'getTranscript',
      summary: 'Get a transcript',
      description:
        'As JSON, or with `format` as plain text or subtitles. A call without speech has an empty transcript.',
      tags: ['Calls'],
      params: callPath,
      querystring: z.object({
        format: z
          .enum(['json', ...formatNames])
          .default('json')
          .meta({ description: 'The format of the transcript.', examples: ['srt'] }),
      }),
      response: {
        200: {
          description: 'The transcript.',
          content: {
            'application/json': { schema: transcriptResource },
            'text/plain': { schema: textTranscript },
            'application/x-subrip': { schema: textTranscript },
            'text/vtt': { schema: textTranscript },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const { call, entries } = await calls.view(request.principal, request.params.call_id);
      const { format } = request.query;
      if (format === 'json') {
        const { tools } = await calls.modelUse(request.principal, call.id);
        return toTranscriptResource(call, entries, tools);
      }
      const { contentType, render } = TRANSCRIPT_FORMATS[format];
      return reply.type(contentType).send(render(entries));
    },
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/usage',
    schema: {
      operationId: 'getCallUsage',
      summary: 'Get what a call has used',
      description: 'What the language models of the call have used, so far.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The usage.', callUsageResource) },
    },
    handler: async ({ principal, params }) =>
      toUsageResource(params.call_id, await calls.modelUse(principal, params.call_id)),
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/metrics',
    schema: {
      operationId: 'getCallMetrics',
      summary: 'Get the metrics of a call',
      description: 'Averages, percentiles, and the latency of every response by its parts.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The metrics.', callMetricsResource) },
    },
    handler: (request) => views.metrics(request.principal, request.params.call_id),
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/turns',
    schema: {
      operationId: 'getCallTurns',
      summary: 'Get the responses of a call',
      description:
        'Every response with what it answered and where its time went, and reply times to compare with.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The responses.', turnWaterfall) },
    },
    handler: async ({ principal, params }) => toTurnWaterfall(await calls.turns(principal, params.call_id)),
  });

  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/events',
    schema: {
      operationId: 'listCallEvents',
      summary: 'List the events of a call',
      description: 'Every state that the call has entered, and what else happened in it, oldest first.',
      tags: ['Calls'],
      params: callPath,
      querystring: listQuery.pick({ limit: true, cursor: true }),
      response: {
        200: answer('One page of events.', listOf(callEventResource, 'CallEventList', 'oldest first')),
      },
    },
    handler: async (request, reply) => {
      const { call_id: callId } = request.params;
      const { cursor = null, limit } = request.query;
      const page = await calls.eventPage(request.principal, callId, { cursor, limit });
      const items = page.items.map((event) => toEventResource(callId, event));
      return answerWithPage(request, reply, { items, next: page.next });
    },
  });

  analysisRoutes(server, { calls, views });
};

function analysisRoutes(server: HttpServer, { calls, views }: { calls: Calls; views: CallViews }): void {
  server.route({
    method: 'GET',
    url: '/api/calls/:call_id/summary',
    schema: {
      operationId: 'getCallSummary',
      summary: 'Get the summary of a call',
      description: 'The summary and the analysis; `pending` until the call has been analysed.',
      tags: ['Calls'],
      params: callPath,
      response: { 200: answer('The summary.', callSummary) },
    },
    handler: (request) => views.summary(request.principal, request.params.call_id),
  });

  server.route({
    method: 'POST',
    url: '/api/calls/:call_id/analysis',
    schema: {
      operationId: 'analyseCallAgain',
      summary: 'Analyse a call again',
      description:
        'Has the words of a call that is over analysed once more, as the service is set up now. What is found replaces ' +
        'the summary and the analysis, and is announced by the same events.',
      tags: ['Calls'],
      params: callPath,
      response: {
        202: answer('It is under way; until it is done, the summary is the one before.', callSummary),
        ...problems(409),
      },
    },
    handler: async ({ principal, params }, reply) => {
      const call = await calls.analyseAgain(principal, params.call_id);
      // The row still has the earlier analysis.
      return reply.code(202).send({ ...toCallSummary(call), status: 'pending' as const });
    },
  });
}
