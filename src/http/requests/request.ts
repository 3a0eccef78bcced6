import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Idempotency } from '#idempotency/replay-answers.js';
import type { Principal } from '#access/keys/principal.js';
import type { RouteDemands } from './route-demands.js';

/** What the server adds to each request. */
export interface RequestFacts {
  /** The authenticated principal. Reading it on a `public` route is a bug and throws. */
  principal: Principal;
  /** Null without an `Idempotency-Key`, and on routes that are not `idempotent`. */
  idempotency: Idempotency | null;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteDemands {}
  interface FastifyRequest extends RequestFacts {}
  interface FastifyInstance {
    /** Reports "not ready" from now on and starts nothing new: requests other than GET get 503. */
    drain(): void;
    isDraining(): boolean;
    /**
     * The owner of the credentials or session of a request; for routes that authenticate themselves.
     * @throws Problem `unauthorized`, `rate_limited`, or `forbidden` for a change without the session's CSRF token
     */
    identify(request: FastifyRequest): Promise<Principal>;
    /** The owner of the session of a request; null without one. For reading only: changes must use `identify`. */
    sessionOf(request: FastifyRequest): Promise<Principal | null>;
    /** True if the credentials that a stream was opened with are still valid. */
    mayStay(request: FastifyRequest): Promise<boolean>;
    /**
     * Counts refused credentials against the client's address.
     * @throws Problem `rate_limited`
     */
    countRefusedCredentials(request: FastifyRequest): Promise<void>;
    /**
     * Refuses credentials unchecked while too many were refused from the address, unless they were valid before.
     * @throws Problem `rate_limited`
     */
    refuseGuess(request: FastifyRequest, credentials: readonly string[]): void;
    /** Records valid credentials. @throws Problem `rate_limited` if others were guessed in the same request */
    acceptCredentials(request: FastifyRequest, credentials: readonly string[]): Promise<void>;
  }
}

/** The server as routes see it: schemas are zod's. */
export type HttpServer = FastifyInstance<
  FastifyInstance['server'],
  FastifyRequest['raw'],
  import('node:http').ServerResponse,
  FastifyInstance['log'],
  ZodTypeProvider
>;
