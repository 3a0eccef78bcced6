import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { toInstant, type Clock } from '#kernel/time/clock.js';
import { toLocalInstant } from '#kernel/time/local-time.js';
import { occurrences } from '#schedules/runs/executions/plan.js';
import { describeCron } from '#schedules/recurrence/describe-cron.js';
import type { Schedules } from '#schedules/schedules.js';
import { triggered } from '#schedules/schedule-resource.js';
import { listQuery, answerWithPage } from '#http/answers/lists.js';
import type { HttpServer } from '#http/requests/request.js';
import { answer, problems } from '#http/schemas/route-schema.js';
import {
  executionHistory,
  nextRuns,
  nextRunsQuery,
  preview,
  previewRequest,
  scheduleActed,
  schedulePath,
} from './scheduled-call-shapes.js';

const tags = ['Scheduled calls'];
/** The number of next times in a preview if the request names no `count`. */
const DEFAULT_PREVIEW_COUNT = 5;

/** The dependencies of the routes of actions on schedules. */
export interface ScheduledCallActionParts {
  schedules: Schedules;
  clock: Clock;
  defaultTimezone: string;
}

/**
 * The routes with actions on a schedule (pause, resume, run now), its history, its next times, and the times of a cron
 * expression that is not stored. The actions require the scope `write`, all else `read`.
 */
export const scheduledCallActionRoutes: FastifyPluginAsyncZod<ScheduledCallActionParts> = async (
  server,
  parts,
) => {
  pauseRoutes(server, parts.schedules);
  triggerRoutes(server, parts.schedules);
  historyRoute(server, parts.schedules);
  lookAheadRoutes(server, parts);
};

function pauseRoutes(server: HttpServer, schedules: Schedules): void {
  server.route({
    method: 'POST',
    url: '/api/scheduled-calls/:schedule_id/pause',
    schema: {
      operationId: 'pauseScheduledCall',
      summary: 'Pause a scheduled call',
      description:
        'Nothing is dialled until it is resumed or triggered: a call that is due and waits to be ' +
        'dialled is withdrawn, its execution is `cancelled`, and resuming does not make up for it. A ' +
        'call that rings or is live continues. Pausing a paused schedule changes nothing.',
      tags,
      params: schedulePath,
      response: { 200: answer('It is paused.', scheduleActed), ...problems(404, 409) },
    },
    handler: async (request) => {
      const schedule = await schedules.pause(request.principal, request.params.schedule_id);
      return { ...schedule, success: true as const, message: 'scheduled call paused' };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/scheduled-calls/:schedule_id/resume',
    schema: {
      operationId: 'resumeScheduledCall',
      summary: 'Resume a scheduled call',
      description:
        'Continues with its next time. A one-time call whose time has passed is placed at once if it ' +
        'is at most `grace_seconds` late; otherwise it is missed and the schedule fails.',
      tags,
      params: schedulePath,
      response: { 200: answer('It is active again.', scheduleActed), ...problems(404, 409) },
    },
    handler: async (request) => {
      const schedule = await schedules.resume(request.principal, request.params.schedule_id);
      return { ...schedule, success: true as const, message: 'scheduled call resumed' };
    },
  });
}

function triggerRoutes(server: HttpServer, schedules: Schedules): void {
  // Two names of one action.
  for (const action of ['trigger', 'run'] as const) {
    server.route({
      method: 'POST',
      url: `/api/scheduled-calls/:schedule_id/${action}`,
      config: { idempotent: true },
      schema: {
        operationId: action === 'trigger' ? 'triggerScheduledCall' : 'runScheduledCall',
        summary: 'Run a scheduled call now',
        description:
          'Runs it once more, now; its schedule stays as it is. Not possible while a call of it is in ' +
          'progress.',
        tags,
        params: schedulePath,
        response: { 200: answer('The run has started.', triggered), ...problems(404, 409, 422) },
      },
      handler: (request) => {
        // The transaction that starts the run makes its body.
        const kept = request.idempotency?.answer(200, null) ?? null;
        return schedules.trigger(request.principal, request.params.schedule_id, kept);
      },
    });
  }
}

function historyRoute(server: HttpServer, schedules: Schedules): void {
  server.route({
    method: 'GET',
    url: '/api/scheduled-calls/:schedule_id/history',
    schema: {
      operationId: 'getScheduledCallHistory',
      summary: 'Get the execution history',
      description:
        'Every attempt of every run, oldest first; the next run comes last, as `pending`. `attempts` ' +
        'lists all attempts of the same run.',
      tags,
      params: schedulePath,
      querystring: listQuery,
      response: { 200: answer('One page of executions.', executionHistory), ...problems(400, 404) },
    },
    handler: async (request, reply) => {
      const { schedule_id: id } = request.params;
      const { cursor, limit, created_after: after, created_before: before } = request.query;
      const page = await schedules.history(request.principal, id, {
        cursor: cursor ?? null,
        limit,
        ...(after === undefined ? {} : { after }),
        ...(before === undefined ? {} : { before }),
      });
      const { data: executions, ...list } = answerWithPage(request, reply, page);
      return { schedule_id: id, executions, ...list };
    },
  });
}

function lookAheadRoutes(server: HttpServer, parts: ScheduledCallActionParts): void {
  const { schedules, clock, defaultTimezone } = parts;
  server.route({
    method: 'GET',
    url: '/api/scheduled-calls/:schedule_id/next-runs',
    schema: {
      operationId: 'getNextRuns',
      summary: 'Get the next runs',
      description:
        'The next times of a schedule, up to its last; none while it is paused or after it has ended.',
      tags,
      params: schedulePath,
      querystring: nextRunsQuery,
      response: { 200: answer('The next runs.', nextRuns), ...problems(400, 404) },
    },
    handler: async (request) => {
      const { schedule_id: id } = request.params;
      const { timezone, instants } = await schedules.nextRuns(request.principal, id, request.query.count);
      return { schedule_id: id, timezone, next_executions: toNextExecutions(instants, timezone) };
    },
  });

  server.route({
    method: 'POST',
    url: '/api/scheduled-calls/preview',
    // A POST that changes nothing.
    config: { scope: 'read' },
    schema: {
      operationId: 'previewRecurrence',
      summary: 'Explain a cron expression',
      description: 'Describes a cron expression and lists its next times, without storing anything.',
      tags,
      body: previewRequest,
      response: { 200: answer('Its description and next times.', preview), ...problems(400) },
    },
    handler: async (request) => {
      const { cron_expression: expression, timezone: zone, after, count } = request.body;
      const timezone = zone ?? defaultTimezone;
      const instants = occurrences(
        expression,
        timezone,
        after ?? clock.wallMs(),
        count ?? DEFAULT_PREVIEW_COUNT,
      );
      return {
        cron_expression: expression,
        timezone,
        description: describeCron(expression),
        next_executions: toNextExecutions(instants, timezone),
      };
    },
  });
}

/** Shows each instant in UTC and in local time. */
function toNextExecutions(instants: readonly number[], timezone: string) {
  return instants.map((at) => ({ utc: toInstant(at), local: toLocalInstant(at, timezone) }));
}
