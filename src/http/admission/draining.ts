import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const RETRY_AFTER_SECONDS = 5;
/** How long a closing server waits for requests in progress. */
const LAST_ANSWERS_MS = 5_000;

/**
 * The server's plugin for shutdown. After `app.drain()`, reads and routes with `whileDraining` still work, so that live
 * calls can be followed and ended; every other request and every other socket gets 503. When the server closes,
 * requests in progress get some seconds more and their connections are then cut: a client that stops reading cannot
 * keep the process alive.
 */
export const draining = fastifyPlugin<{ clock: Clock }>(async (app, { clock }) => {
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.decorate('isDraining', () => isDraining);
  let cancelTimer = () => {};
  app.addHook('preClose', async () => {
    app.drain();
    cancelTimer = clock.after(LAST_ANSWERS_MS, () => app.server.closeAllConnections());
  });
  app.addHook('onClose', async () => cancelTimer());
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isDraining || (SAFE_METHODS.has(request.method) && !request.ws)) return done();
    if (request.routeOptions.config.whileDraining) return done();
    throw new Problem('unavailable', 'The service is shutting down; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  });
});
