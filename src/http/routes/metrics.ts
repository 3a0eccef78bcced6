import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Registry } from 'prom-client';
import { z } from 'zod';
import type { Authenticator } from '#access/authenticator.js';
import { credentialsOf } from '#access/credentials.js';
import { admit, requireScope } from '#http/admission/authentication.js';
import { problems } from '#http/schemas/route-schema.js';

/** The metrics, and what opens them to other machines. */
export interface MetricsOptions {
  authenticator: Authenticator;
  registry: Registry;
  /** A token that is accepted in addition to the credentials of the API; null for none. */
  token: string | null;
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;

/**
 * The route with the metrics for Prometheus. It is open to requests from this machine; others need the metrics token,
 * or credentials of the API with the scope `read`.
 */
export const metricsRoutes: FastifyPluginAsyncZod<MetricsOptions> = async (app, options) => {
  const { authenticator, registry, token } = options;

  const authorise = async (request: FastifyRequest) => {
    if (isFromThisMachine(request)) return;
    const credentials = credentialsOf(request.headers);
    if (token !== null && credentials.some((credential) => isSame(credential, token))) return;
    // Reading metrics does not count against the rate limit (`limited`); refused credentials do (`admit`).
    const principal = await admit(request, authenticator, credentials);
    requireScope(principal, 'read');
  };

  app.get(
    '/metrics',
    {
      config: { scope: 'own', limited: false },
      onRequest: authorise,
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

/** True for a request from this machine that no proxy has forwarded: a proxy may forward requests of others. */
function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => ADDED_BY_PROXIES.test(name));
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}

/** Compares hashes of equal length, so that the time of the comparison reveals nothing about the token. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
