import helmet from '@fastify/helmet';
import fastifyPlugin from 'fastify-plugin';

/** The protective headers (Interface: `SECURE_HEADERS`), for answers that are data and never pages. */
export const secureHeaders = fastifyPlugin<{ enabled: boolean }>(async (app, { enabled }) => {
  if (!enabled) return;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Recordings are played and data is read by pages of other origins; CORS decides which.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
  });
});
