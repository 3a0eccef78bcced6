import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyPlugin from 'fastify-plugin';
import helmet from 'helmet';

/**
 * The server's plugin that sets security headers, unless `SECURE_HEADERS` is off. They suit answers that are data; the
 * routes of pages (console, documentation) replace those that would keep a page from working.
 */
export const secureHeaders = fastifyPlugin<{ enabled: boolean }>(async (app, { enabled }) => {
  if (!enabled) return;
  const headers = protectiveHeaders();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
});

/** Helmet's headers, and `cache-control`. They are the same for all requests, so they are computed once. */
function protectiveHeaders(): Record<string, string> {
  // Answers contain personal data, keys and signed links; shared caches do not know that `x-api-key` authenticates.
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Pages of other origins may play recordings and read data; CORS decides which pages.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Useful only for pages, most of them in old browsers; omitted to keep answers small.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    // No part of this service adds that header.
    xPoweredBy: false,
  });
  const answer = { setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value) };
  protect({} as IncomingMessage, answer as unknown as ServerResponse, () => {});
  return headers;
}
