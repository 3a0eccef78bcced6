import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { toInstant, toInstantOrNull, type Clock } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { runChecks, type ReadinessCheck } from '#http/watch/readiness.js';
import { API_VERSION } from '#http/answers/response-facts.js';
import { answer } from '#http/schemas/route-schema.js';

const DEGRADED_PARTS = ['language_model', 'voice', 'recogniser', 'recordings'] as const;

const health = z
  .object({
    status: z.literal('healthy').meta({ description: 'Always `healthy`: the process answers.' }),
    ok: z.literal(true).meta({ description: 'Always true, for simple probes.' }),
    service: z.literal('callwright').meta({ description: 'The name of the service.' }),
    version: z.string().meta({ description: 'The version of the interface, as in `X-API-Version`.' }),
    environment: z
      .enum(['local', 'production'])
      .meta({ description: 'The value of the setting `Environment`.' }),
    uptime_seconds: z.int().min(0).meta({ description: 'Seconds since the start.' }),
    timestamp: instantOut.meta({ description: "The time of the service's clock." }),
    degraded: z
      .array(
        z.object({
          part: z.enum(DEGRADED_PARTS).meta({ description: 'What does less than it should.' }),
          provider: z.string().meta({
            description:
              'The provider that is left out; `s3` where too many recordings wait for object storage.',
          }),
          model: z.string().nullable().meta({
            description:
              'The language model; null where it is the account (its key, or its money), and for voices and recognisers.',
          }),
          reason: z.string().meta({
            description:
              'Such as `refused_credentials`, `quota`, `rate_limited`, `timeout` or `unavailable`; `storage_backlog` while ' +
              'new calls are not recorded.',
          }),
          since: instantOut.meta({ description: 'When it was left out.' }),
          until: instantOut.nullable().meta({
            description:
              'When it is tried again; null where only a change of settings helps, and for recordings.',
          }),
        }),
      )
      .meta({
        description:
          'What is left out at the moment; calls go on with what takes its place, or without a recording.',
      }),
  })
  .meta({
    id: 'Health',
    description: 'That the service is alive.',
    examples: [
      {
        status: 'healthy',
        ok: true,
        service: 'callwright',
        version: '1.0.0',
        environment: 'local',
        uptime_seconds: 12,
        timestamp: '2026-11-21T00:00:12.000Z',
        degraded: [
          {
            part: 'language_model',
            provider: 'openai',
            model: 'gpt-4.1',
            reason: 'timeout',
            since: '2026-11-21T00:00:09.000Z',
            until: '2026-11-21T00:00:14.000Z',
          },
        ],
      },
    ],
  });

const readiness = z
  .object({
    status: z
      .enum(['ready', 'draining', 'unavailable'])
      .meta({ description: 'Whether to send work here: only when `ready`.' }),
    checks: z
      .record(z.string(), z.enum(['ok', 'failed', 'timeout']))
      .meta({ description: 'The checks and their results.' }),
  })
  .meta({
    id: 'Readiness',
    description: 'Whether the service can take work now.',
    examples: [{ status: 'ready', checks: { database: 'ok' } }],
  });

/** What the routes report, and the checks that must pass for the process to be ready. */
export interface HealthOptions {
  clock: Clock;
  environment: 'local' | 'production';
  checks: readonly ReadinessCheck[];
  degraded(): readonly Degradation[];
}

/** A provider that is out of use, or recordings that are not made; instants are epoch milliseconds. */
export interface Degradation {
  part: (typeof DEGRADED_PARTS)[number];
  provider: string;
  /** The language model that is out of use; null if it is the whole account, and for all other parts. */
  model: string | null;
  reason: string;
  sinceMs: number;
  /** When the provider is tried again; null if only a change of settings helps, and for recordings. */
  untilMs: number | null;
}

/**
 * The routes for monitors and load balancers: `/health` says that the process lives and what is degraded,
 * `/health/ready` whether it should get requests. Public, without a rate limit.
 */
export const healthRoutes: FastifyPluginAsyncZod<HealthOptions> = async (
  app,
  { clock, environment, checks, degraded },
) => {
  const startedMs = clock.monotonicMs();
  const config = { scope: 'public', limited: false } as const;

  app.get(
    '/health',
    {
      config,
      schema: {
        operationId: 'getHealth',
        summary: 'Liveness',
        description:
          'Answers as long as the process runs. `degraded` is information only: the status stays `healthy` and the code 200.',
        tags: ['Operations'],
        response: { 200: answer('The service is alive.', health) },
      },
    },
    () => ({
      status: 'healthy' as const,
      ok: true as const,
      service: 'callwright' as const,
      version: API_VERSION,
      environment,
      uptime_seconds: Math.floor((clock.monotonicMs() - startedMs) / 1_000),
      timestamp: toInstant(clock.wallMs()),
      degraded: degraded().map(({ sinceMs, untilMs, ...part }) => ({
        ...part,
        since: toInstant(sinceMs),
        until: toInstantOrNull(untilMs),
      })),
    }),
  );

  app.get(
    '/health/ready',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        summary: 'Readiness',
        description:
          'Whether this process should receive work: it is not shutting down, what it depends on works ' +
          '(database, scheduler, storage, speech), and it keeps up (`event_loop`: its timers fire on ' +
          'time).',
        tags: ['Operations'],
        response: {
          200: answer('It is ready.', readiness),
          503: answer('It is not: it is shutting down, or something it depends on does not work.', readiness),
        },
      },
    },
    async (_request, reply) => {
      const results = await runChecks(checks, clock);
      const allPass = Object.values(results).every((result) => result === 'ok');
      const status = app.isDraining() ? 'draining' : allPass ? 'ready' : 'unavailable';
      return reply.code(status === 'ready' ? 200 : 503).send({ status, checks: results });
    },
  );
};
