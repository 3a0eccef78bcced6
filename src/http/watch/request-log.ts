import type { FastifyBaseLogger } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Log } from '#kernel/log/log.js';

/** Drops the lines of a level. */
const noLog = () => {};

/**
 * The service's log behind Fastify's interface. Fastify's `trace` lines would contain headers and are dropped. Its
 * `info` lines, such as the listening address, become `debug`, because the service logs the same facts itself.
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
 * The server's plugin that logs one line per response, with the route's pattern in place of the URL: the line contains
 * no phone number, token or query.
 */
export const requestLog = fastifyPlugin<{ log: Log }>(async (app, { log }) => {
  app.addHook('onResponse', (request, reply, done) => {
    // Most routes without a rate limit are requested often by programs: /health, /metrics, those for carriers.
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
