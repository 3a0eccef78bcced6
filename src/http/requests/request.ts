import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Idempotency } from '#idempotency/replay-answers.js';
import type { Principal } from '#access/keys/principal.js';
import type { RouteDemands } from './route-demands.js';

/** What the server adds to each request; the shape that helpers may ask for. */
export interface RequestFacts {
  /** Who asks. Reading it on a `public` route is a mistake of ours and throws. */
  principal: Principal;
  /** Null without an `Idempotency-Key`, and on routes that are not `idempotent`. */
  idempotency: Idempotency | null;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteDemands {}
  interface FastifyRequest extends RequestFacts {}
  interface FastifyInstance {
    /** From now on not ready, and nothing new is begun: requests other than GET are answered 503. */
    drain(): void;
    isDraining(): boolean;
    /**
     * The owner of the credentials of a request, or of its session; for routes that leave that to themselves.
     * @throws Problem `unauthorized`, `rate_limited`, or `forbidden` for a change without the session's CSRF token
     */
    identify(request: FastifyRequest): Promise<Principal>;
    /** The owner of the session of a request; null without one. Changes must be asked for with `identify`. */
    sessionOf(request: FastifyRequest): Promise<Principal | null>;
    /** Whether the credentials that a stream was opened with are still good. */
    mayStay(request: FastifyRequest): Promise<boolean>;
    /**
     * Counts a request with refused credentials against its address.
     * @throws Problem `rate_limited`
     */
    countRefusedCredentials(request: FastifyRequest): Promise<void>;
    /**
     * While too many credentials of an address were refused, none is looked at that was not good before.
     * @throws Problem `rate_limited`
     */
    refuseGuess(request: FastifyRequest, credentials: readonly string[]): void;
    /** These credentials are good. @throws Problem `rate_limited` where others were tried out beside a good one */
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
