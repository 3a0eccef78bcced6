import type { FastifyBaseLogger } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Log } from '#kernel/log/log.js';

const nothing = () => {};

/**
 * Our log in the shape that Fastify asks for. Its `trace` lines would hold headers and are not written; what it says of
 * itself in `info`, such as where it listens, the service says already.
 */
export function toFastifyLog(log: Log): FastifyBaseLogger {
  return {
    level: 'debug',
    silent: nothing,
    trace: nothing,
    debug: log.debug.bind(log),
    info: log.debug.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    fatal: log.fatal.bind(log),
    child: (bindings) => toFastifyLog(log.child(bindings)),
  } as FastifyBaseLogger;
}

/** One line for each answer: the route's pattern instead of the URL, so no number, token or query is ever in it. */
export const requestLog = fastifyPlugin<{ log: Log }>(async (app, { log }) => {
  app.addHook('onResponse', (request, reply, done) => {
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
