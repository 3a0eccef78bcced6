import { webcrypto } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { encodedProblem, hasNoBody, isEncoded, typeProblem } from './bodies.js';
import type { HttpServer } from './request.js';

/** The largest body of a route that takes many rows. */
export const LARGEST_MANY_ROWS_BYTES = 10 * 1024 * 1024;

/** A body that is not read on this thread, because a large one holds up live audio: the route hands its bytes on. */
export class LargeBody {
  readonly bytes: Uint8Array;
  readonly #fingerprint: string;

  private constructor(bytes: Uint8Array, fingerprint: string) {
    this.bytes = bytes;
    this.#fingerprint = fingerprint;
  }

  static async of(bytes: Uint8Array): Promise<LargeBody> {
    // Not by `createHash`, which would take this thread for the time of a frame.
    const hash = await webcrypto.subtle.digest('SHA-256', bytes);
    return new LargeBody(bytes, Buffer.from(hash).toString('base64url'));
  }

  /** What tells two bodies apart where requests are compared (`Idempotency-Key`). */
  toJSON(): string {
    return this.#fingerprint;
  }
}

/** Fresh bytes each time: they are handed over to another thread. */
const nothing = () => new TextEncoder().encode('null');

/** Routes of this scope get their bodies of some types as {@link LargeBody}; no body reads as JSON's `null`. */
export function takeLargeBodies(scope: HttpServer, types: readonly RegExp[]): void {
  scope.removeAllContentTypeParsers();
  for (const type of types) {
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return LargeBody.of(nothing());
      if (isEncoded(request.headers)) throw encodedProblem();
      return LargeBody.of(body);
    });
  }
  scope.addContentTypeParser('*', async (request: FastifyRequest) => {
    if (hasNoBody(request.headers)) return LargeBody.of(nothing());
    throw typeProblem(request);
  });
}

/** The bytes of a body, also of a request that has none and says nothing about it. */
export function largeBodyOf(body: unknown): Uint8Array {
  return body instanceof LargeBody ? body.bytes : nothing();
}

/** What a route of such bodies says of itself: they pass as they are, and are checked where they are read. */
export const LARGE_BODY_ROUTE = {
  bodyLimit: LARGEST_MANY_ROWS_BYTES,
  validatorCompiler: () => (value: unknown) => ({ value }),
};
