import { webcrypto } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { encodedProblem, hasNoBody, isEncoded, typeProblem } from './bodies.js';
import type { HttpServer } from './request.js';

/** The body limit of routes that take many rows; other routes have less (`server.ts`). */
export const LARGEST_MANY_ROWS_BYTES = 10 * 1024 * 1024;

/**
 * A body that is passed on as bytes and parsed on another thread: parsing a large body on this thread would delay live
 * audio. Used for batches, and for suppressions that are imported as JSON.
 */
export class LargeBody {
  readonly bytes: Uint8Array;
  readonly #fingerprint: string;

  private constructor(bytes: Uint8Array, fingerprint: string) {
    this.bytes = bytes;
    this.#fingerprint = fingerprint;
  }

  /** Wraps the bytes of a body, and computes their hash. */
  static async of(bytes: Uint8Array): Promise<LargeBody> {
    // `createHash` would block this thread for the duration of an audio frame.
    const hash = await webcrypto.subtle.digest('SHA-256', bytes);
    return new LargeBody(bytes, Buffer.from(hash).toString('base64url'));
  }

  /** A hash in place of the body: the idempotency of requests compares their bodies as JSON (`Idempotency-Key`). */
  toJSON(): string {
    return this.#fingerprint;
  }
}

/** New bytes each time, because they are transferred to another thread. */
const nullBody = () => new TextEncoder().encode('null');

/**
 * Makes the routes of this scope read bodies of these types as {@link LargeBody}, and refuse all others; an empty body
 * counts as JSON's `null`.
 */
export function acceptLargeBodies(scope: HttpServer, types: readonly RegExp[]): void {
  scope.removeAllContentTypeParsers();
  for (const type of types) {
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return LargeBody.of(nullBody());
      if (isEncoded(request.headers)) throw encodedProblem();
      return LargeBody.of(body);
    });
  }
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (hasNoBody(request.headers)) return LargeBody.of(nullBody());
    throw typeProblem(request);
  });
}

/** The bytes of a request's body; those of JSON's `null` without a body, which is then no {@link LargeBody}. */
export function largeBodyOf(body: unknown): Uint8Array {
  return body instanceof LargeBody ? body.bytes : nullBody();
}

/**
 * Options of routes with a {@link LargeBody}. No part of the request is validated before the handler: the thread that
 * parses the body validates it, together with the fields of the query. The schemas serve the OpenAPI document.
 */
export const LARGE_BODY_ROUTE = {
  bodyLimit: LARGEST_MANY_ROWS_BYTES,
  validatorCompiler: () => (value: unknown) => ({ value }),
};
