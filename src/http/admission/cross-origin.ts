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
const PREFLIGHT_SECONDS = 600;
/** For programs in the operator's network, and for our own page: no page of another origin has a reason to ask. */
const OF_THE_OPERATOR: ReadonlySet<string> = new Set([
  '/health',
  '/health/ready',
  '/metrics',
  '/console/session',
]);

/**
 * Which web pages may call (Interface: `CORS_ORIGINS`; credentials, all methods and all headers are allowed). `*` gives
 * the asking origin back: browsers refuse a literal `*` together with credentials. A request that comes from no page
 * is told nothing of this. The preflight of a page that may not call is answered without any permission, which is what
 * its browser looks for, and not with 401: a preflight never carries credentials.
 */
export const crossOrigin = fastifyPlugin<{ origins: readonly string[] }>(async (app, { origins }) => {
  const isAnyone = origins.includes('*');
  const allowed = (request: FastifyRequest): string | false => {
    const { origin } = request.headers;
    if (origin === undefined || OF_THE_OPERATOR.has(request.routeOptions.url ?? '')) return false;
    return isAnyone || origins.includes(origin) ? origin : false;
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
  // What was permitted has been answered before this.
  app.addHook('onRequest', (request, reply, done) => {
    if (!isPreflight(request)) return done();
    void reply.code(204).header('content-length', '0').send();
  });
});

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && Boolean(headers.origin && headers['access-control-request-method']);
}
