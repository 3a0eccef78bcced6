import cors from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const EXPOSED_HEADERS = [
  'X-Request-Id',
  'X-API-Version',
  'Location',
  'Link',
  'Allow',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'X-Request-Warnings',
  'WWW-Authenticate',
  'Content-Disposition',
  'Content-Range',
  'Accept-Ranges',
];
/** How long a browser may cache the answer to a preflight. */
const PREFLIGHT_SECONDS = 600;
/** Routes for the operator's programs, and the console's sign-in: pages of other origins get no access to them. */
const OPERATOR_ROUTES: ReadonlySet<string> = new Set([
  '/health',
  '/health/ready',
  '/metrics',
  '/console/session',
]);

/**
 * The server's plugin for CORS, which lets pages of the origins in `CORS_ORIGINS` use the API from a browser, with
 * credentials, any of `METHODS` and any header. `*` echoes the requesting origin, because browsers refuse a literal `*`
 * together with credentials. Requests without `Origin` get no CORS headers. The preflight of a page that is not allowed
 * gets 204 without permissions rather than 401: a preflight never has credentials.
 */
export const crossOrigin = fastifyPlugin<{ origins: readonly string[] }>(async (app, { origins }) => {
  const allowsAnyOrigin = origins.includes('*');
  const allowed = (request: FastifyRequest): string | false => {
    const { origin } = request.headers;
    if (origin === undefined || OPERATOR_ROUTES.has(request.routeOptions.url ?? '')) return false;
    return allowsAnyOrigin || origins.includes(origin) ? origin : false;
  };
  await app.register(cors, {
    delegator: (request, decide) =>
      decide(null, {
        origin: allowed(request),
        credentials: true,
        methods: METHODS,
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: PREFLIGHT_SECONDS,
        strictPreflight: false,
      }),
  });
  // The plugin above has answered the preflights of allowed pages; all others end here.
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request)) return done();
    void reply.code(204).header('content-length', '0').send();
  });
});

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && Boolean(headers.origin && headers['access-control-request-method']);
}
