import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { API_VERSION } from '#http/answers/response-facts.js';

/** The root path, without credentials: sends browsers to the console or documentation, answers programs with links. */
export const rootRoutes: FastifyPluginAsyncZod<{ servesDocs: boolean; servesConsole: boolean }> = async (
  app,
  { servesDocs, servesConsole },
) => {
  app.get('/', { config: { scope: 'public' }, schema: { hide: true } }, (request, reply) => {
    const wantsPage = request.headers.accept?.includes('text/html') ?? false;
    if (wantsPage && servesConsole) return reply.redirect('/console', 302);
    if (wantsPage && servesDocs) return reply.redirect('/docs', 302);
    return reply.send({
      service: 'callwright',
      version: API_VERSION,
      docs: servesDocs ? '/docs' : null,
      console: servesConsole ? '/console' : null,
      health: '/health',
    });
  });
};
