import type { FastifyPluginCallback } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { ObservedDurations } from '#metrics/exposition.js';

/**
 * The durations of requests: the metric `http_request_duration`, and the server's plugin that records it. The plugin
 * records nothing until the metric is exposed and has a listener.
 */
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
