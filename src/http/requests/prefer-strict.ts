import type { FastifyRequest } from 'fastify';

/**
 * True if the client asks for strict handling (RFC 7240, `Prefer: handling=strict`). The routes that place a call then
 * refuse a call to a number that the calling policy does not allow, in place of storing it as failed.
 */
export function prefersStrict({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers['prefer'] ?? ''));
}
