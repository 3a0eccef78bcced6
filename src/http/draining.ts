import fastifyPlugin from 'fastify-plugin';
import { Problem } from '../kernel/errors.js';

const HARMLESS = new Set(['GET', 'HEAD', 'OPTIONS']);
const RETRY_AFTER_SECONDS = 5;

/** `app.drain()`: what is under way goes on and may be looked at, but nothing new begins. */
export const draining = fastifyPlugin(async (app) => {
  let isDraining = false;
  app.decorate('drain', () => {
    isDraining = true;
  });
  app.decorate('isDraining', () => isDraining);
  app.addHook('preClose', async () => app.drain());
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isDraining || (HARMLESS.has(request.method) && !request.ws)) return done();
    if (request.routeOptions.config.whileDraining) return done();
    throw new Problem('unavailable', 'The service is stopping; ask another one, or try again.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  });
});
