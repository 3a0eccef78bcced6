import fastifyPlugin from 'fastify-plugin';
import type { Clock } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const RETRY_AFTER_SECONDS = 5;
/** How long a closing server waits for who still sends a request, or reads an answer. */
const LAST_ANSWERS_MS = 5_000;

/**
 * `app.drain()`: what is under way goes on and may be looked at, but nothing new begins. When the server closes, the
 * requests under way have some seconds: whoever stops reading a recording keeps no process from ending.
 */
export const draining = fastifyPlugin<{ clock: Clock }>(async (app, { clock }) => {
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.decorate('isDraining', () => isDraining);
  let callOff = () => {};
  app.addHook('preClose', async () => {
    app.drain();
    callOff = clock.after(LAST_ANSWERS_MS, () => app.server.closeAllConnections());
  });
  app.addHook('onClose', async () => callOff());
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isDraining || (SAFE_METHODS.has(request.method) && !request.ws)) return done();
    if (request.routeOptions.config.whileDraining) return done();
    throw new Problem('unavailable', 'The service is shutting down; try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  });
});
