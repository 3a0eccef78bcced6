import type { RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { scopeOf } from '#http/requests/route-demands.js';
import { problems, type ProblemStatus } from './route-schema.js';

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Adds the defaults of its kind to each route, so that no route has to state them. */
export const routeDefaults = fastifyPlugin(async (app) => {
  app.addHook('onRoute', (route) => {
    const isSocket = 'websocket' in route || 'wsHandler' in route;
    // Sockets authenticate themselves: the credentials may come with the first message.
    if (isSocket) route.config = { scope: 'own', limited: false, ...route.config };
    if (!route.schema || route.schema.hide) return;
    const security = isOpen(route) ? [] : undefined;
    route.schema = {
      ...route.schema,
      ...(security && { security }),
      response: { ...problems(...statusesOf(route)), ...(route.schema.response as object) },
    };
  });
});

/** The errors that every route of this kind may return. */
function statusesOf(route: RouteOptions): ProblemStatus[] {
  const { schema, config } = route;
  const takesBody = methodsOf(route).some((method) => WITH_BODY.has(method));
  return [
    400,
    ...(isOpen(route) ? [] : ([401, 403] as const)),
    ...(schema?.params === undefined ? [] : ([404] as const)),
    ...(takesBody ? ([408, 413, 415] as const) : []),
    ...(config?.idempotent ? ([409, 422] as const) : []),
    ...(config?.limited === false ? [] : ([429] as const)),
    431,
    500,
    503,
  ];
}

function isOpen(route: RouteOptions): boolean {
  return methodsOf(route).every((method) => scopeOf(route.config ?? {}, method) === 'public');
}

function methodsOf(route: RouteOptions): string[] {
  return [route.method].flat();
}
