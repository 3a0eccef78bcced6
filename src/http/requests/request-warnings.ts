import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { unknownFieldWarnings, type RequestWarning } from '#kernel/input/request-warnings.js';

/** Findings from before validation, which removes unknown fields. */
const found = new WeakMap<FastifyRequest, RequestWarning[]>();

/**
 * A hook that notes fields which a body's schema does not know, before validation removes them.
 * @param alsoKnown other accepted fields, such as those of an object that is sent back as it was read
 */
export function noteUnknownFields(
  body: Pick<z.ZodObject, 'shape'>,
  alsoKnown: Pick<z.ZodObject, 'shape'> | null = null,
): (request: FastifyRequest) => Promise<void> {
  const known = [...Object.keys(body.shape), ...Object.keys(alsoKnown?.shape ?? {})];
  return async (request) => void found.set(request, unknownFieldWarnings(request.body, known));
}

/** The warnings about the fields of a request. */
export function warningsOf(request: FastifyRequest): RequestWarning[] {
  return found.get(request) ?? [];
}

/** True if the client wants a request refused that could only be met in part (RFC 7240, `handling=strict`). */
export function prefersStrict({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers['prefer'] ?? ''));
}
