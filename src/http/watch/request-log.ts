import type { FastifyBaseLogger } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Log } from '#kernel/log/log.js';

const noLog = () => {};

/**
 * The service's log behind Fastify's interface. Fastify's `trace` lines would contain headers and are dropped; its
 * `info` lines, such as the listening address, become `debug` because the service logs the same.
 */
export function toFastifyLog(log: Log): FastifyBaseLogger {
  return {
    level: 'debug',
    silent: noLog,
    trace: noLog,
    debug: log.debug.bind(log),
    info: log.debug.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
    child: (bindings) => toFastifyLog(log.child(bindings)),
  } as FastifyBaseLogger;
}

/**
 * The server's plugin that logs one line per response, with the route's pattern instead of the URL: the line never
 * contains a number, token or query.
 */
export const requestLog = fastifyPlugin<{ log: Log }>(async (app, { log }) => {
  app.addHook('onResponse', (request, reply, done) => {
    // Routes without a rate limit, such as /health and /metrics, are polled often.
    const level = request.routeOptions.config.limited === false ? 'debug' : 'info';
    log[level](
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request answered',
    );
    done();
  });
});
