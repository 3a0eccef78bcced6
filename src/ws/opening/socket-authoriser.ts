import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import { socketCredentialOf, type SocketCredential } from '#access/credentials.js';
import type { Principal } from '#access/keys/principal.js';
import type { StreamRight } from '#calls/live/sessions/live-call.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';

/** Says by what right a socket carries a call. */
export interface SocketAuthoriser {
  /**
   * The right that the credentials of a request give, wherever it carries them: headers, query, sub-protocol, path.
   * Null when it has none: then a token must come with the first message.
   * @throws Problem `unauthorized` when none is good, `forbidden` when the good one may not start calls
   */
  admit(request: FastifyRequest): Promise<StreamRight | null>;
  /** The right that one token or credential gives. @throws as `admit` */
  check(credential: string): Promise<StreamRight>;
}

export function createSocketAuthoriser(parts: {
  ids: Ids;
  authenticator: Pick<Authenticator, 'authenticateAny'>;
  /** Of a page of this service; null without one. */
  sessionOf(request: FastifyRequest): Promise<Principal | null>;
}): SocketAuthoriser {
  const rightOfOwner = (principal: Principal): StreamRight => {
    const mayStartCalls = principal.scopes.includes('write') || principal.scopes.includes('admin');
    if (!mayStartCalls)
      throw new Problem('forbidden', "An audio socket starts a call, which requires the scope 'write'.");
    return { kind: 'principal', principal, callId: parts.ids.next('call') };
  };
  const rightOf = async (shown: SocketCredential): Promise<StreamRight> => {
    // Whether a token is good, and for which call, is found out when the call is opened: that uses it up.
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
