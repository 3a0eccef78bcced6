import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import { socketCredentialOf, type SocketCredential } from '#access/credentials.js';
import type { Principal } from '#access/keys/principal.js';
import type { StreamRight } from '#calls/live/sessions/live-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';

/**
 * Determines by the credentials of a socket whether it may carry a call. `registerAudioSockets` asks it before a socket
 * opens, and for credentials in a first message.
 */
export interface SocketAuthoriser {
  /**
   * The right of a request by its credentials in path, headers, query or sub-protocol, or else by the console's session
   * cookie. Null without any of these: then a token or credential must come with the first message.
   * @throws Problem `unauthorized` if no credential is valid, `forbidden` if the principal may not start calls
   */
  admit(request: FastifyRequest): Promise<StreamRight | null>;
  /** The right by a single token or credential, from a first message or a path. @throws as `admit` */
  check(credential: string): Promise<StreamRight>;
}

/** Creates the authoriser of audio sockets. */
export function createSocketAuthoriser(parts: {
  ids: Ids;
  authenticator: Pick<Authenticator, 'authenticateAny'>;
  /** The principal of a console session; null without one. */
  sessionOf(request: FastifyRequest): Promise<Principal | null>;
}): SocketAuthoriser {
  const rightOfPrincipal = (principal: Principal): StreamRight => {
    const mayStartCalls = principal.scopes.includes('write') || principal.scopes.includes('admin');
    if (!mayStartCalls)
      throw new Problem('forbidden', "An audio socket starts a call, which requires the scope 'write'.");
    return { kind: 'principal', principal, callId: parts.ids.next('call') };
  };
  const rightOf = async (shown: SocketCredential): Promise<StreamRight> => {
    // A stream token belongs to one call. It is checked when that call is opened, which uses it up.
    if (shown.kind === 'token') return shown;
    return rightOfPrincipal(await parts.authenticator.authenticateAny(shown.credentials));
  };
  // Read as if it were in a header, so that tokens and keys are told apart in one place.
  const check = (credential: string) =>
    rightOf(socketCredentialOf({ headers: { 'x-api-key': credential } })!);
  return {
    check,
    async admit(request) {
      const { token } = request.params as { token?: string };
      if (token) return check(token);
      const shown = socketCredentialOf(request);
      if (shown) return rightOf(shown);
      const principal = await parts.sessionOf(request);
      return principal && rightOfPrincipal(principal);
    },
  };
}
