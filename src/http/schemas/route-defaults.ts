import type { RouteOptions } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { scopeOf } from '#http/requests/route-demands.js';
import { problems, type ProblemStatus } from './route-schema.js';

/** The methods whose requests may have a body. */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * The server's plugin that completes each route as it is registered. A socket checks credentials itself and has no rate
 * limit, unless its route says otherwise. A route in the OpenAPI document gets the errors that every route of its kind
 * may return, and the mark that it needs no credentials if it is public.
 */
export const routeDefaults = fastifyPlugin(async (app) => {
  app.addHook('onRoute', (route) => {
    const isSocket = 'websocket' in route || 'wsHandler' in route;
    // `own`: the credentials of a socket may come with its first message, after the request was let in.
    if (isSocket) route.config = { scope: 'own', limited: false, ...route.config };
    if (!route.schema || route.schema.hide) return;
    const security = isPublic(route) ? [] : undefined;
    route.schema = {
      ...route.schema,
      ...(security && { security }),
      response: { ...problems(...statusesOf(route)), ...(route.schema.response as object) },
    };
  });
});

/** The statuses of the errors that a route of this kind may return, whatever it does. */
function statusesOf(route: RouteOptions): ProblemStatus[] {
  const { schema, config } = route;
  const takesBody = methodsOf(route).some((method) => WITH_BODY.has(method));
  return [
    400,
    ...(isPublic(route) ? [] : ([401, 403] as const)),
    ...(schema?.params === undefined ? [] : ([404] as const)),
    ...(takesBody ? ([408, 413, 415] as const) : []),
    ...(config?.idempotent ? ([409, 422] as const) : []),
    ...(config?.limited === false ? [] : ([429] as const)),
    431,
    500,
    503,
  ];
}

/** True if no method of the route requires credentials. */
function isPublic(route: RouteOptions): boolean {
  return methodsOf(route).every((method) => scopeOf(route.config ?? {}, method) === 'public');
}

function methodsOf(route: RouteOptions): string[] {
  return [route.method].flat();
}
