import type { Scope } from '#access/keys/principal.js';

/** What a route requires, as `config: { scope: 'admin' }`. By default GET requires `read`, everything else `write`. */
export interface RouteDemands {
  /** `public` requires no credentials; with `own` the route must check them itself. */
  scope?: Scope | 'public' | 'own';
  /** Honours `Idempotency-Key`: the first answer is kept for 24 hours and repeated. */
  idempotent?: boolean;
  /** The path prefix of created resources; default the route's own. */
  madeUnder?: string;
  /** What it answers may be sent to it again, to make another of the same: those fields are known to it, too. */
  takesOwnAnswer?: boolean;
  /** Whether the rate limit counts requests to this route; true unless said otherwise. */
  limited?: boolean;
  /** True if the route works during a drain, whatever its method. */
  whileDraining?: boolean;
}

/** The scope that a route requires; by default `read` for GET and HEAD, else `write`. */
export function scopeOf(demands: RouteDemands, method: string): NonNullable<RouteDemands['scope']> {
  return demands.scope ?? usualScope(method);
}

function usualScope(method: string): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
