import type { WebsocketPluginOptions } from '@fastify/websocket';
import websocket from '@fastify/websocket';
import { fastify, LogController, type FastifyServerOptions } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { ApiKeys } from '#access/keys/api-keys.js';
import type { Authenticator } from '#access/authenticator.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import type { Sessions } from '#access/sessions/sessions.js';
import { authentication } from '#http/admission/authentication.js';
import { bodies } from '#http/requests/bodies.js';
import { BrokenRequests } from '#http/answers/broken-requests.js';
import { crossOrigin } from '#http/admission/cross-origin.js';
import { draining } from '#http/admission/draining.js';
import { errorRendering, sendProblem } from '#http/answers/error-rendering.js';
import { replayAnswers } from '#idempotency/replay-answers.js';
import { describeRepeatable } from '#http/requests/repeatable-request.js';
import { exposeMetrics, type Metric } from '#metrics/exposition.js';
import { observeRequests } from '#http/watch/request-durations.js';
import { openApi } from '#http/openapi/openapi.js';
import { rateLimits } from '#http/admission/rate-limits.js';
import type { ReadinessCheck } from '#http/watch/readiness.js';
import type { HttpServer } from '#http/requests/request.js';
import { requestLog, toFastifyLog } from '#http/watch/request-log.js';
import { requireOwnCursor } from '#http/answers/lists.js';
import { beginAnswer, responseFacts } from '#http/answers/response-facts.js';
import { requestWarnings } from '#http/requests/request-warnings.js';
import { routeDefaults } from '#http/schemas/route-defaults.js';
import { apiKeyRoutes } from '#http/routes/api-keys.js';
import { consolePageRoutes } from '#http/routes/console-pages.js';
import { consoleSessionRoutes } from '#http/routes/console-session.js';
import { docsRoutes } from '#http/routes/docs.js';
import { healthRoutes, type Degradation } from '#http/routes/health.js';
import { meRoutes } from '#http/routes/me.js';
import { metricsRoutes } from '#http/routes/metrics.js';
import { rootRoutes } from '#http/routes/root.js';
import { secureHeaders } from '#http/answers/secure-headers.js';
import { serializeWithZod } from '#http/schemas/serialization.js';
import { closeSocket, upgrades, asksForSocket } from '#http/admission/upgrades.js';
import { validateWithZod } from '#http/schemas/validation.js';

/** The settings of the HTTP server. */
export interface ServerOptions {
  environment: 'local' | 'production';
  corsOrigins: readonly string[];
  secureHeaders: boolean;
  /** True if `/docs`, `/redoc` and `/openapi.json` are served. */
  servesDocs: boolean;
  /** True if `/console` is served. */
  servesConsole: boolean;
  /** The proxies whose `X-Forwarded-For` is trusted: false for none, their number in front, or their addresses. */
  trustProxy: false | number | readonly string[];
  /** Requests per minute of each credential, or of each address without credentials; null for no limit. */
  rateLimitPerMinute: number | null;
  /** A token that opens `/metrics`, in addition to the credentials of the API; null for none. */
  metricsToken: string | null;
  timeouts?: ClientTimeouts;
}

/** Timeouts for slow clients, in milliseconds. */
export interface ClientTimeouts {
  /** The longest time from the first byte of a request to the end of its headers. */
  headersMs: number;
  /** The longest time from the first byte of a request to the end of its body. */
  requestMs: number;
  /** How often the two timeouts above are checked. */
  checkEveryMs: number;
  /** The longest time without a byte in either direction during a request. */
  idleMs: number;
  /** The longest time between two requests on one connection. */
  keepAliveMs: number;
}

/** The dependencies of the HTTP server. */
export interface ServerParts {
  clock: Clock;
  ids: Ids;
  log: Log;
  store: Store;
  authenticator: Authenticator;
  apiKeys: ApiKeys;
  sessions: Sessions;
  /** Options of all WebSockets; `assembleServer` adds their routes. */
  webSocket: WebsocketPluginOptions;
  /** The checks that must pass for this process to be ready. */
  readiness: readonly ReadinessCheck[];
  /** Providers that are out of use at present, and a stop of recording, as shown by `/health`. */
  degraded(): readonly Degradation[];
  /** The metrics of the modules. */
  metrics: readonly Metric[];
}

const DEFAULT_TIMEOUTS: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 2_000,
  idleMs: 60_000,
  keepAliveMs: 72_000,
};
/** Largest body of most routes; routes with many rows and those for carriers have limits of their own. */
const LARGEST_BODY_BYTES = 1024 * 1024;
/** Longest path parameter in characters; ids and phone numbers are shorter. */
const LONGEST_PATH_PARAMETER = 255;

/**
 * The HTTP server without the routes of the modules. `assembleServer` adds those with `register`, never with `route`:
 * the plugins below load in this order when the server becomes ready, and only routes registered after them can use
 * them. The order is also that of their hooks: errors and headers first, then what needs no credentials
 * (log, CORS, which answers preflights), then the refusals of a draining server, then credentials, then the rate limit,
 * which counts by credential.
 */
export function buildServer(options: ServerOptions, parts: ServerParts): HttpServer {
  const { clock, store, authenticator, apiKeys, sessions } = parts;
  const app = createFastify(options, parts);
  const requests = observeRequests();
  const registry = exposeMetrics([...parts.metrics, requests.durations], { clock });

  app.register(errorRendering);
  app.register(responseFacts);
  app.register(requestLog, { log: parts.log });
  app.register(requests.plugin);
  app.register(crossOrigin, { origins: options.corsOrigins });
  app.register(secureHeaders, { enabled: options.secureHeaders });
  app.register(websocket, parts.webSocket);
  // Takes over the listeners of the plugin above.
  app.register(upgrades);
  app.register(draining, { clock });
  app.register(authentication, { authenticator, sessions });
  app.register(rateLimits, { perMinute: options.rateLimitPerMinute });
  app.register(bodies);
  // After the validation, which decodes the cursor.
  app.addHook('preHandler', async (request) => requireOwnCursor(request));
  app.register(replayAnswers, { store, clock, describe: describeRepeatable });
  app.register(requestWarnings);
  app.register(routeDefaults);
  app.register(openApi);

  const { readiness: checks, degraded } = parts;
  app.register(healthRoutes, { clock, environment: options.environment, checks, degraded });
  app.register(rootRoutes, options);
  app.register(meRoutes);
  app.register(apiKeyRoutes, { apiKeys });
  app.register(metricsRoutes, { authenticator, registry, token: options.metricsToken });
  if (options.servesDocs) app.register(docsRoutes);
  if (options.servesConsole) {
    app.register(consoleSessionRoutes, { sessions, authenticator, clock });
    app.register(consolePageRoutes);
  }
  return app;
}

function createFastify(options: ServerOptions, { ids, log }: ServerParts): HttpServer {
  const timeouts = options.timeouts ?? DEFAULT_TIMEOUTS;
  const brokenRequests = new BrokenRequests(ids);
  const app = fastify({
    loggerInstance: toFastifyLog(log),
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request would cost more than adding the request id to its two log lines.
    childLoggerFactory: (logger) => logger,
    genReqId: () => ids.next('req'),
    requestIdHeader: false,
    trustProxy: trustedProxies(options.trustProxy),
    bodyLimit: LARGEST_BODY_BYTES,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      requestTimeout: timeouts.requestMs,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      // Node would refuse a request without `Host` with an empty answer; `beginAnswer` refuses it with an error body.
      requireHostHeader: false,
    },
    // Fastify's 503 of a closing server is off: `draining` answers, in the error shape of the API.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: LONGEST_PATH_PARAMETER },
    frameworkErrors: (error, request, reply) => {
      const hostProblem = beginAnswer(request, reply);
      // No hook runs for a path that cannot be decoded, so the hook of `upgrades` does not close the socket.
      if (asksForSocket(request.raw)) reply.raw.once('finish', () => closeSocket(request.raw));
      void sendProblem(hostProblem ?? error, request, reply);
    },
    clientErrorHandler: (error, socket) => brokenRequests.answer(error, socket),
  });
  brokenRequests.watch(app.server);
  // An unknown expectation is no reason to refuse a request (RFC 9110, 10.1.1); Node would, without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  return app
    .setValidatorCompiler(validateWithZod)
    .setSerializerCompiler(serializeWithZod)
    .withTypeProvider<ZodTypeProvider>();
}

/** The setting `trustProxy` in Fastify's form; a number trusts that many hops, counted from this server. */
function trustedProxies(trust: ServerOptions['trustProxy']): FastifyServerOptions['trustProxy'] {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return trust === false ? false : [...trust];
}
