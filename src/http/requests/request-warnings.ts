import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { unknownFieldWarnings, type RequestWarning } from '#kernel/input/request-warnings.js';

/** What was found in requests before their validation, which leaves unknown fields out. */
const found = new WeakMap<FastifyRequest, RequestWarning[]>();

/**
 * A hook before the validation of a body that notes the fields which its schema does not know.
 * @param alsoKnown other fields that may be sent, such as those of an object that is sent back as it was read
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

/** Whether a client wants its request refused where it could only be met in part (RFC 7240, `handling=strict`). */
export function prefersStrict({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|[,;\s])handling\s*=\s*"?strict\b/i.test(String(headers['prefer'] ?? ''));
}
