import type { Scope } from '#access/keys/principal.js';

/**
 * What a route demands of the server's plugins, as its `config: { scope: 'admin' }`. Authentication, rate limits,
 * idempotency, request warnings, request log, OpenAPI document and draining read it.
 */
export interface RouteDemands {
  /**
   * The scope that credentials must have; by default `read` for GET and HEAD, else `write`. `public` requires no
   * credentials; with `own` the route must check them itself.
   */
  scope?: Scope | 'public' | 'own';
  /** True if the route honours `Idempotency-Key`: its first answer is kept for 24 hours and repeated. */
  idempotent?: boolean;
  /** The path below which a created resource is (`Location` of a repeated answer); default the path of the request. */
  madeUnder?: string;
  /**
   * True if clients may send an answer back as a new request, to copy an object: the fields of answers cause no
   * warning.
   */
  takesOwnAnswer?: boolean;
  /** False if the rate limit does not count requests to this route, and only debug logs show them; default true. */
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
