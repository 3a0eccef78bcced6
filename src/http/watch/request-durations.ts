import type { FastifyPluginCallback } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ObservedDurations } from '#metrics/exposition.js';

/** The durations of requests: a metric, and the plugin that records it. */
export function observeRequests(): { durations: ObservedDurations; plugin: FastifyPluginCallback } {
  let observe: Parameters<ObservedDurations['listen']>[0] = () => {};
  return {
    durations: {
      kind: 'durations',
      name: 'http_request_duration',
      help: 'How long requests took, by route, method and status.',
      labelNames: ['method', 'route', 'status'],
      listen: (listener) => (observe = listener),
    },
    plugin: fastifyPlugin((app, _options, ready) => {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        observe(reply.elapsedTime / 1_000, {
          method: request.method,
          route,
          status: String(reply.statusCode),
        });
        done();
      });
      ready();
    }),
  };
}
