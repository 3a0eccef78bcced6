import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { installation } from '#kernel/system/installation.js';

/** The folder of the built console (`npm run build`). */
const PAGES = new URL('dist/console/', installation);
const NOT_BUILT_TEXT =
  'The console is not part of this build: run `npm run build` and start the service again. The API works without it.';
const YEAR_SECONDS = 31_536_000;
/** A file name with a hash of its content: the file at this name never changes. */
const HASHED = /[-.][\w-]{8,}\.\w+$/;
/** A host without characters that would break out of a Content-Security-Policy. */
const SAFE_HOST = /^[\w.:[\]-]+$/;

/**
 * The routes of the console's pages and their files, for which no credentials are needed: the page itself signs in
 * (`console-session.ts`). A path without a file extension gets `index.html`, because the single-page app does the
 * routing.
 */
export const consolePageRoutes: FastifyPluginAsync<{ folder?: URL }> = async (server, { folder = PAGES }) => {
  const root = fileURLToPath(folder);
  await server.register(fastifyStatic, {
    root,
    // The plugin only adds `reply.sendFile`; the routes below serve the files.
    serve: false,
    cacheControl: false,
    preCompressed: true,
    // No hidden files.
    allowedPath: (path) => !path.includes('/.'),
  });
  const send = (request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply => {
    reply.headers(pageHeaders(request.host));
    if (!existsSync(new URL('index.html', folder)))
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT_TEXT);
    const isPage = extname(path) === '';
    const isImmutable = !isPage && HASHED.test(path);
    reply.header('cache-control', isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    return reply.sendFile(isPage ? 'index.html' : path);
  };
  const route = { config: { scope: 'public', limited: false } as const, schema: { hide: true } };
  server.get('/console', route, (request, reply) => send(request, reply, ''));
  server.get('/console/*', route, (request, reply) =>
    send(request, reply, (request.params as { '*': string })['*']),
  );
};

/**
 * Headers that let a page load and contact only this service, apart from images and sounds that the page makes itself,
 * and forbid showing it in a frame.
 */
function pageHeaders(host: string): Record<string, string> {
  const sockets = SAFE_HOST.test(host) ? ` ws://${host} wss://${host}` : '';
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self'${sockets}`,
      "media-src 'self' blob:",
      "worker-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}
