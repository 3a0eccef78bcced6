import type { Principal } from '../access/principal.js';
import type { StreamRight } from '../calls/live-call.js';
import { Problem } from '../kernel/errors.js';
import type { Ids } from '../kernel/ids.js';
import { isStreamToken } from './stream-request.js';

/** Says by what right a socket carries a call. */
export interface Gatekeeper {
  /**
   * The right that a credential gives.
   * @throws Problem `unauthorized` when it is no good, `forbidden` when it may not start calls
   */
  check(credential: string): Promise<StreamRight>;
  /** The right of the first good one; null when there are none at all. @throws the first refusal when none is good */
  checkAny(credentials: readonly string[]): Promise<StreamRight | null>;
}

/** @param parts.authenticate whose key or JWT it is; throws Problem `unauthorized` for a bad one */
export function createGatekeeper(parts: {
  ids: Ids;
  authenticate: (credential: string) => Promise<Principal>;
}): Gatekeeper {
  const check = async (credential: string): Promise<StreamRight> => {
    // Which call it is for, and whether it is good, is known when the call is opened.
    if (isStreamToken(credential)) return { kind: 'token', token: credential };
    const principal = await parts.authenticate(credential);
    const mayStartCalls = principal.scopes.includes('write') || principal.scopes.includes('admin');
    if (!mayStartCalls)
      throw new Problem('forbidden', "An audio socket starts a call: that needs the scope 'write'.");
    return { kind: 'principal', principal, callId: parts.ids.next('call') };
  };
  return {
    check,
    async checkAny(credentials) {
      let refusal: Problem | null = null;
      for (const credential of credentials) {
        try {
          return await check(credential);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          refusal ??= error;
        }
      }
      if (refusal !== null) throw refusal;
      return null;
    },
  };
}

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && (error.code === 'unauthorized' || error.code === 'forbidden');
}
