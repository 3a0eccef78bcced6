import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#kernel/errors/errors.js';

const NAME = 'callwright_session';
const COOKIE = new RegExp(`(?:^|;)\\s*${NAME}=([\\w-]{43})\\s*(?:;|$)`);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The session token of a request; null without one. A cookie counts only in requests from a page of this service,
 * because `SameSite=Strict` admits other ports and subdomains.
 */
export function sessionTokenOf(request: FastifyRequest): string | null {
  const token = COOKIE.exec(request.headers.cookie ?? '')?.[1];
  return token !== undefined && isFromOwnPage(request) ? token : null;
}

/**
 * Refuses a change without the session's CSRF token.
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
    `${NAME}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`,
  );
}

/** A false claim of TLS harms only the browser that makes it. */
function isBehindTls({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}

/** Browsers name the source of a request in `Sec-Fetch-Site` on secure connections, and in `Origin`. */
function isFromOwnPage({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers satisfies IncomingHttpHeaders;
  return origin === undefined || hostOf(origin) === host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
