import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/errors/errors.js';

/*
 * The cookie that holds a session of the console, and the CSRF token that changes need in addition. `authentication`
 * reads the cookie and checks the token of changes; the routes of `console-session.ts` read it, set it at sign-in and
 * delete it at sign-out.
 */

const COOKIE_NAME = 'callwright_session';
/** The session cookie in a `Cookie` header; a token is 43 characters of base64url. */
const COOKIE = new RegExp(`(?:^|;)\\s*${COOKIE_NAME}=([\\w-]{43})\\s*(?:;|$)`);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The session token of a request; null without a cookie. A cookie does not count in a request from a page of another
 * origin: `SameSite=Strict` alone would admit pages at other ports and subdomains.
 */
export function sessionTokenOf(request: FastifyRequest): string | null {
  const token = COOKIE.exec(request.headers.cookie ?? '')?.[1];
  return token !== undefined && isFromOwnPage(request) ? token : null;
}

/**
 * Refuses a change (any method but GET, HEAD and OPTIONS) without the session's CSRF token.
 * @throws Problem `forbidden`
 */
export function requireCsrfToken(request: FastifyRequest, csrfToken: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return;
  throw new Problem('forbidden', "Send the session's csrf_token as 'X-CSRF-Token'.");
}

/** Sets the session cookie. @param maxAgeSeconds 0 deletes it */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, maxAgeSeconds }: { token: string; maxAgeSeconds: number },
): void {
  const secure = isBehindTls(request) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${COOKIE_NAME}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`,
  );
}

/** True if the browser uses TLS, perhaps only up to a proxy. A forged `X-Forwarded-Proto` harms only its sender. */
function isBehindTls({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}

/**
 * True for a request from a page of this service, or from no page. Browsers name the source in `Sec-Fetch-Site` on
 * secure connections, and otherwise in `Origin`. A page of another origin can leave both out only in a plain GET, whose
 * answer it cannot read.
 */
function isFromOwnPage({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers satisfies IncomingHttpHeaders;
  return origin === undefined || hostOf(origin) === host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
