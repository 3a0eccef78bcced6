import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { DateTime } from 'luxon';
import type { Clock } from '#kernel/time/clock.js';
import type { KeySet } from './key-set.js';
import {
  DEFAULT_WORKSPACE,
  isWorkspace,
  SCOPES,
  type Principal,
  type Scope,
} from '#access/keys/principal.js';

/** The last instant that the API can format: a token that expires later is shown with this expiry. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The claims that tokens of the identity provider must have. */
export interface JwtOptions {
  issuer: string;
  audience: string;
  /** The claim that names the workspace; tokens without it belong to the default one. */
  workspaceClaim: string;
}

/** Verifies JWTs of the operator's identity provider (openapi.json, `securitySchemes`). The authenticator uses it. */
export interface JwtVerifier {
  /**
   * The principal of a token; null for an invalid one.
   * @throws Problem `unavailable` when the provider's keys cannot be fetched
   */
  verify(token: string): Promise<Principal | null>;
}

/** The accepted algorithms: asymmetric ones only, never `none` and never a shared secret. */
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** The tolerated difference between the clocks of the provider and of this service. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** The scopes of a token without a claim about scopes: all but `admin`. */
const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write'];
/** Scopes that request personal data from an identity provider (OpenID Connect Core, sections 5.4 and 11). */
const IDENTITY_SCOPES = new Set<unknown>([
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
]);
/** Longer texts are refused unread (characters). */
const LONGEST_TOKEN = 16_384;

/**
 * True for a text in the form of a signed token: three base64url parts, the first of which begins like a JSON object.
 */
export function isJwt(text: string): boolean {
  return text.length <= LONGEST_TOKEN && /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}

/** Creates the verifier of JWTs. */
export function createJwtVerifier(options: JwtOptions, parts: { keySet: KeySet; clock: Clock }): JwtVerifier {
  const { keySet, clock } = parts;
  return {
    async verify(token) {
      const rules: JWTVerifyOptions = {
        issuer: options.issuer,
        audience: options.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: DateTime.fromMillis(clock.wallMs()).toJSDate(),
      };
      const payload = await verifiedPayload(token, rules, keySet);
      return payload && toPrincipal(payload, options.workspaceClaim);
    },
  };
}

/** The claims of a token with a valid signature; null for an invalid token. */
async function verifiedPayload(
  token: string,
  rules: JWTVerifyOptions,
  keySet: KeySet,
): Promise<JWTPayload | null> {
  try {
    return (await jwtVerify(token, keySet.keyFor, rules)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithAnyKey(token, rules, error);
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** The claims of a token that does not name its key: each key of the provider is tried. */
async function verifyWithAnyKey(
  token: string,
  rules: JWTVerifyOptions,
  candidates: errors.JWKSMultipleMatchingKeys,
): Promise<JWTPayload | null> {
  for await (const key of candidates) {
    try {
      return (await jwtVerify(token, key, rules)).payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return null;
}

/** The principal of verified claims; null for an invalid workspace or an empty `sub`. */
function toPrincipal(payload: JWTPayload, workspaceClaim: string): Principal | null {
  const workspace = payload[workspaceClaim] ?? DEFAULT_WORKSPACE;
  if (typeof workspace !== 'string' || !isWorkspace(workspace)) return null;
  // jose has checked that the claims exist, but not that `sub` is not empty.
  if (typeof payload.sub !== 'string' || payload.sub === '') return null;
  return {
    id: payload.sub,
    type: 'jwt',
    name: typeof payload['name'] === 'string' ? payload['name'] : payload.sub,
    workspace,
    scopes: scopesOf(payload),
    expiresAt: payload.exp === undefined ? null : Math.min(payload.exp * 1_000, LATEST_MS),
  };
}

/**
 * The scopes of a token. `scope` is a text with blanks (RFC 8693); some providers use `scopes` or `scp`, as a text or a
 * list. Unknown scopes are ignored. A token with identity scopes only is treated as one without the claim.
 */
function scopesOf(payload: JWTPayload): readonly Scope[] {
  const claim = payload['scope'] ?? payload['scopes'] ?? payload['scp'];
  if (claim === undefined) return DEFAULT_SCOPES;
  const words = (typeof claim === 'string' ? claim.split(' ') : [claim].flat()).filter((word) => word !== '');
  // An empty claim grants nothing.
  if (words.length === 0) return [];
  const rights = words.filter((word) => !IDENTITY_SCOPES.has(word));
  return rights.length === 0 ? DEFAULT_SCOPES : SCOPES.filter((scope) => rights.includes(scope));
}
