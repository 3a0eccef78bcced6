import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import { socketCredentialOf, type SocketCredential } from '#access/credentials.js';
import type { Principal } from '#access/keys/principal.js';
import type { StreamRight } from '#calls/live/sessions/live-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';

/** Determines the right by which a socket carries a call. */
export interface SocketAuthoriser {
  /**
   * The right of a request's credentials in headers, query, sub-protocol or path. Null without credentials: then a
   * token must come with the first message.
   * @throws Problem `unauthorized` if none is valid, `forbidden` if the valid one may not start calls
   */
  admit(request: FastifyRequest): Promise<StreamRight | null>;
  /** The right of one token or credential. @throws as `admit` */
  check(credential: string): Promise<StreamRight>;
}

export function createSocketAuthoriser(parts: {
  ids: Ids;
  authenticator: Pick<Authenticator, 'authenticateAny'>;
  /** The principal of a console session; null without one. */
  sessionOf(request: FastifyRequest): Promise<Principal | null>;
}): SocketAuthoriser {
  const rightOfOwner = (principal: Principal): StreamRight => {
    const mayStartCalls = principal.scopes.includes('write') || principal.scopes.includes('admin');
    if (!mayStartCalls)
      throw new Problem('forbidden', "An audio socket starts a call, which requires the scope 'write'.");
    return { kind: 'principal', principal, callId: parts.ids.next('call') };
  };
  const rightOf = async (shown: SocketCredential): Promise<StreamRight> => {
    // A token is checked when its call is opened, which uses it up.
    if (shown.kind === 'token') return shown;
    return rightOfOwner(await parts.authenticator.authenticateAny(shown.credentials));
  };
  const check = (credential: string) =>
    rightOf(socketCredentialOf({ headers: { 'x-api-key': credential } })!);
  return {
    check,
    async admit(request) {
      const { token } = request.params as { token?: string };
      if (token) return check(token);
      const shown = socketCredentialOf(request);
      if (shown) return rightOf(shown);
      const owner = await parts.sessionOf(request);
      return owner && rightOfOwner(owner);
    },
  };
}
