import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Authenticator } from '#access/authenticator.js';
import { credentialsOf } from '#access/credentials.js';
import { admit, requireScope } from '#http/admission/authentication.js';
import { problems } from '#http/schemas/route-schema.js';

/** The metrics, and who may read them in addition to the machine itself. */
export interface MetricsOptions {
  authenticator: Authenticator;
  registry: Registry;
  /** A token accepted in addition to API keys; null for none. */
  token: string | null;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/** Metrics for Prometheus: open to the machine itself, otherwise with an API key or the metrics token. */
export const metricsRoutes: FastifyPluginAsyncZod<MetricsOptions> = async (app, options) => {
  const { authenticator, registry, token } = options;

  const letIn = async (request: FastifyRequest) => {
    if (isFromThisMachine(request)) return;
    const credentials = credentialsOf(request.headers);
    if (token !== null && credentials.some((credential) => isSame(credential, token))) return;
    // Reading metrics does not count against the rate limit; guessing keys here does.
    const principal = await admit(request, authenticator, credentials);
    requireScope(principal, 'read');
  };

  app.get(
    '/metrics',
    {
      config: { scope: 'own', limited: false },
      onRequest: letIn,
      schema: {
        operationId: 'getMetrics',
        summary: 'Get metrics',
        description: 'Metrics of the process, its requests and its calls, in Prometheus text format.',
        tags: ['Operations'],
        response: {
          200: {
            description: 'The metrics.',
            content: {
              'text/plain': { schema: z.string().meta({ examples: ['process_cpu_seconds_total 1.2'] }) },
            },
          },
          ...problems(401, 403, 429),
        },
      },
    },
    async (_request, reply) =>
      reply
        .type(registry.contentType)
        .serializer(String)
        .send(await registry.metrics()),
  );
};

/** Headers that proxies add. */
const ADDED_BY_PROXIES = /^(x-forwarded-.+|forwarded|x-real-ip|via)$/;

/** A request forwarded by a proxy on this machine is not from this machine. */
function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
