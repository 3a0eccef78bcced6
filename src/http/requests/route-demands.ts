import type { Scope } from '#access/keys/principal.js';

/**
 * What a route demands; written as `config: { scope: 'admin' }`. Left out: GET needs `read`, everything else `write`.
 */
export interface RouteDemands {
  /** `public` asks for no credentials at all; `own` leaves them to the route, which must check them itself. */
  scope?: Scope | 'public' | 'own';
  /** Honours `Idempotency-Key`: the first answer is kept for 24 hours and given again. */
  idempotent?: boolean;
  /** The path below which what it makes is found; its own, unless said. */
  madeUnder?: string;
  /** What it answers may be sent to it again, to make another of the same: those fields are known to it, too. */
  takesOwnAnswer?: boolean;
  /** Whether the rate limit counts requests to this route; true unless said otherwise. */
  limited?: boolean;
  /** It is answered while the service stops as well, whatever its method. */
  whileDraining?: boolean;
}

/** Which scope a route demands: what it says itself, else `read` for looking and `write` for everything else. */
export function scopeOf(demands: RouteDemands, method: string): NonNullable<RouteDemands['scope']> {
  return demands.scope ?? usualScope(method);
}

function usualScope(method: string): 'read' | 'write' {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
}
