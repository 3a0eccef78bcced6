import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Authenticator } from '#access/authenticator.js';
import { credentialsOf, socketCredentialOf } from '#access/credentials.js';
import type { Principal, Scope } from '#access/keys/principal.js';
import type { Sessions } from '#access/sessions/sessions.js';
import { Problem } from '#kernel/errors/errors.js';
import { scopeOf } from '#http/requests/route-demands.js';
import { requireCsrfToken, sessionTokenOf } from './session-cookie.js';

const PRINCIPAL = Symbol('principal');
type WithPrincipal = FastifyRequest & { [PRINCIPAL]: Principal | null };

/** The scopes that each scope grants: itself and the lesser ones. */
const INCLUDES: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  write: ['write', 'read'],
  admin: ['admin', 'write', 'read'],
};

/** The dependencies of {@link authentication}. */
export interface AuthenticationParts {
  authenticator: Authenticator;
  sessions: Pick<Sessions, 'find'>;
}

/**
 * The server's plugin for authentication. On every route that is neither `public` nor `own` (`RouteDemands`) it
 * requires credentials with the scope of the route, and sets `request.principal`. It runs before the body is read, so
 * that a client without credentials learns nothing about valid bodies. It also gives the server the functions
 * `identify`, `sessionOf` and `areCredentialsValid` for routes and sockets that check credentials themselves.
 */
export const authentication = fastifyPlugin<AuthenticationParts>(async (app, parts) => {
  app.decorateRequest(PRINCIPAL, null);
  app.decorateRequest('principal', {
    getter() {
      const principal = principalOf(this);
      if (!principal) throw new Error('this route asks for no credentials, so nobody is known');
      return principal;
    },
  });
  app.decorate('identify', (request) => identify(request, parts));
  app.decorate('sessionOf', async (request) => {
    const token = sessionTokenOf(request);
    return (token === null ? null : await parts.sessions.find(token))?.principal ?? null;
  });
  app.decorate('areCredentialsValid', (request) => areCredentialsValid(request, parts));
  app.addHook('onRequest', async (request) => {
    if (request.is404) return;
    const scope = scopeOf(request.routeOptions.config, request.method);
    // `own`: the route checks the credentials itself.
    if (scope === 'public' || scope === 'own') return;
    const principal = await identify(request, parts);
    (request as WithPrincipal)[PRINCIPAL] = principal;
    requireScope(principal, scope);
  });
});

/**
 * The owner of the request's credentials or, without credentials, of its session.
 * @throws Problem `unauthorized`, `rate_limited`, or `forbidden` for a change without the session's CSRF token
 */
async function identify(request: FastifyRequest, parts: AuthenticationParts): Promise<Principal> {
  const credentials = credentialsShownBy(request);
  const token = credentials.length === 0 ? sessionTokenOf(request) : null;
  const session = token === null ? null : await parts.sessions.find(token);
  if (!session) return admit(request, parts.authenticator, credentials);
  requireCsrfToken(request, session.csrfToken);
  return session.principal;
}

/** True if the credentials or the session that a stream was opened with are still valid. */
async function areCredentialsValid(
  request: FastifyRequest,
  { authenticator, sessions }: AuthenticationParts,
): Promise<boolean> {
  const credentials = credentialsShownBy(request);
  const token = credentials.length === 0 ? sessionTokenOf(request) : null;
  if (token !== null) return (await sessions.find(token)) !== null;
  return authenticator.authenticateAny(credentials).then(
    () => true,
    // An unavailable database does not make a key invalid.
    (error: unknown) => !(error instanceof Problem && error.code === 'unauthorized'),
  );
}

/**
 * The credentials in the headers of a request. Those of a WebSocket may also be in its URL or subprotocols, because
 * browsers do not let pages set its headers.
 */
function credentialsShownBy(request: FastifyRequest): string[] {
  if (!request.ws) return credentialsOf(request.headers);
  const shown = socketCredentialOf(request.raw);
  if (shown === null) return [];
  return shown.kind === 'token' ? [shown.token] : shown.credentials;
}

/**
 * The principal of some credentials, for the authentication above, the sign-in of the console and the metrics. Refused
 * and missing credentials count against the client's address (`rateLimits`), which slows guessing down.
 * @throws Problem `unauthorized`, `rate_limited`, or `unavailable` if the check itself fails
 */
export async function admit(
  request: FastifyRequest,
  authenticator: Pick<Authenticator, 'authenticateAny'>,
  credentials: readonly string[],
): Promise<Principal> {
  request.server.refuseGuessingAddress(request, credentials);
  try {
    const principal = await authenticator.authenticateAny(credentials);
    await request.server.noteValidCredentials(request, credentials);
    return principal;
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized')
      await request.server.countRefusedCredentials(request);
    throw error;
  }
}

/** The authenticated principal; null on `public` and `own` routes, and before the check. */
export function principalOf(request: FastifyRequest): Principal | null {
  return (request as WithPrincipal)[PRINCIPAL];
}

/** True if the principal has the scope, or one that includes it. */
export function hasScope({ scopes }: Principal, scope: Scope): boolean {
  return scopes.some((granted) => INCLUDES[granted].includes(scope));
}

/** Refuses a principal without this scope. @throws Problem `forbidden` */
export function requireScope(principal: Principal, scope: Scope): void {
  if (hasScope(principal, scope)) return;
  throw new Problem('forbidden', `This requires credentials with the scope '${scope}'.`);
}
