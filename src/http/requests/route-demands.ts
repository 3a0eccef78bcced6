import type { Scope } from '#access/keys/principal.js';

/**
 * The requirements of a route, as its `config: { scope: 'admin' }`. By default GET requires `read`, everything else
 * `write`. The server's plugins read them: authentication, rate limits, idempotency and draining.
 */
export interface RouteDemands {
  /** `public` requires no credentials; with `own` the route must check them itself. */
  scope?: Scope | 'public' | 'own';
  /** Honours `Idempotency-Key`: the first answer is kept for 24 hours and repeated. */
  idempotent?: boolean;
  /** The path prefix of created resources; default the route's own. */
  madeUnder?: string;
  /** True if clients may send an answer back as a new request, to copy an object: its fields cause no warnings. */
  takesOwnAnswer?: boolean;
  /** False if the rate limit does not count requests to this route; default true. */
  limited?: boolean;
  /** True if the route works during a drain, whatever its method. */
  whileDraining?: boolean;
}

/** The scope that a route requires; by default `read` for GET and HEAD, else `write`. */
export function scopeOf(demands: RouteDemands, method: string): NonNullable<RouteDemands['scope']> {
  return demands.scope ?? defaultScope(method);
}

function defaultScope(method: string): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
