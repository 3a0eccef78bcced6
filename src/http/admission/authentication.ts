import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Authenticator } from '#access/authenticator.js';
import { credentialsOf } from '#access/credentials.js';
import type { Principal, Scope } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import { scopeOf } from '#http/requests/route-demands.js';

const PRINCIPAL = Symbol('principal');
type WithPrincipal = FastifyRequest & { [PRINCIPAL]: Principal | null };

/** Which scopes a scope includes. */
const INCLUDES: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  write: ['write', 'read'],
  admin: ['admin', 'write', 'read'],
};

/** Finds out who asks before the body is read, so that a stranger learns nothing about what a good body would be. */
export const authentication = fastifyPlugin<{ authenticator: Authenticator }>(
  async (app, { authenticator }) => {
    app.decorateRequest(PRINCIPAL, null);
    app.decorateRequest('principal', {
      getter() {
        const principal = principalOf(this);
        if (!principal) throw new Error('this route asks for no credentials, so nobody is known');
        return principal;
      },
    });
    app.addHook('onRequest', async (request) => {
      if (request.is404) return;
      const scope = scopeOf(request.routeOptions.config, request.method);
      if (scope === 'public' || scope === 'own') return;
      const principal = await admit(request, authenticator, credentialsOf(request.headers));
      (request as WithPrincipal)[PRINCIPAL] = principal;
      requireScope(principal, scope);
    });
  },
);

/**
 * Who shows some credentials. Those that are refused count against the address that they come from, so that trying them
 * out is slow.
 */
export async function admit(
  request: FastifyRequest,
  authenticator: Pick<Authenticator, 'authenticateAny'>,
  credentials: readonly string[],
): Promise<Principal> {
  request.server.refuseGuess(request, credentials);
  try {
    const principal = await authenticator.authenticateAny(credentials);
    await request.server.acceptCredentials(request, credentials);
    return principal;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized')
      await request.server.countRefusedCredentials(request);
    throw error;
  }
}

/** Who asks, or null on routes that ask for no credentials. */
export function principalOf(request: FastifyRequest): Principal | null {
  return (request as WithPrincipal)[PRINCIPAL];
}

/** Whether somebody holds a scope, or one that includes it. */
export function hasScope({ scopes }: Principal, scope: Scope): boolean {
  return scopes.some((held) => INCLUDES[held].includes(scope));
}

/** @throws Problem `forbidden` */
export function requireScope(principal: Principal, scope: Scope): void {
  if (hasScope(principal, scope)) return;
  throw new Problem('forbidden', `This requires credentials with the scope '${scope}'.`);
}
