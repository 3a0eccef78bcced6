import { readFile } from 'node:fs/promises';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyPluginAsync } from 'fastify';
import { installation } from '#kernel/system/installation.js';

/** The pages may load only from this service. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The only external image of Redoc, replaced by an empty one. */
const OUTSIDE_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const EMPTY_PICTURE = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';

/** Swagger UI's page has no viewport: phones would show it in desktop width. */
const VIEWPORT_SCRIPT = `const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);
`;

const REDOC_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Callwright API</title>
    <link rel="icon" href="/docs/static/favicon-32x32.png" />
    <style>body { margin: 0; }</style>
  </head>
  <body>
    <redoc spec-url="/openapi.json"></redoc>
    <script src="/redoc/redoc.standalone.js"></script>
  </body>
</html>
`;

/**
 * The documentation of the API: Swagger UI at `/docs`, Redoc at `/redoc`, and the OpenAPI document itself, without
 * credentials. The pages load nothing from other servers.
 */
export const docsRoutes: FastifyPluginAsync = async (app) => {
  let redocScript: Promise<string> | null = null;
  // Also for the routes that Swagger UI adds below.
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, scope: 'public', limited: false };
    route.schema = { ...route.schema, hide: true };
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
  });

  app.get('/openapi.json', () => app.openApi());
  app.get('/redoc', (_request, reply) => reply.type('text/html; charset=utf-8').send(REDOC_PAGE));
  app.get('/redoc/redoc.standalone.js', async (_request, reply) => {
    redocScript ??= readRedoc();
    const script = await redocScript;
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'max-age=3600').send(script);
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    // The base layout has no top bar, which would show another project's logo and an input for another document.
    uiConfig: { layout: 'BaseLayout', deepLinking: true, persistAuthorization: true, validatorUrl: null },
    theme: { title: 'Callwright API', js: [{ filename: 'viewport.js', content: VIEWPORT_SCRIPT }] },
    transformSpecification: () => app.openApi(),
  });
};

/** Redoc's script, without its image from another server. */
async function readRedoc(): Promise<string> {
  const file = new URL('assets/redoc/redoc.standalone.js', installation);
  return (await readFile(file, 'utf8')).replaceAll(OUTSIDE_LOGO, EMPTY_PICTURE);
}
