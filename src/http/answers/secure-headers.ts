import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import helmet from 'helmet';

/** The protective headers (Interface: `SECURE_HEADERS`), for answers that are data and never pages. */
export const secureHeaders = fastifyPlugin<{ enabled: boolean }>(async (app, { enabled }) => {
  if (!enabled) return;
  const headers = protectiveHeaders();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
});

/** What helmet would set on every answer, and one more. It depends on nothing in a request, so it is asked once. */
function protectiveHeaders(): Record<string, string> {
  // Answers are about people and hold keys and signed links; a cache on the way knows nothing of `x-api-key`.
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Recordings are played and data is read by pages of other origins; CORS decides which.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Of use to pages only, most of them to browsers of long ago; each costs every client and every answer.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    // Nothing here adds that header.
    xPoweredBy: false,
  });
  const answer = { setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value) };
  protect({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return headers;
}
