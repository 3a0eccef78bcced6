import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Idempotency } from '#idempotency/replay-answers.js';
import type { Principal } from '#access/keys/principal.js';
import type { RouteDemands } from './route-demands.js';

/** The properties that the server adds to each request. */
export interface RequestFacts {
  /**
   * The authenticated principal. Reading it on a `public` or `own` route (`RouteDemands.scope`) is a bug and throws.
   */
  principal: Principal;
  /**
   * Stores the answer, so that a repetition of the request gets the same answer. Null without an `Idempotency-Key`, and
   * on routes that are not `idempotent`.
   */
  idempotency: Idempotency | null;
}

declare module 'fastify' {
  interface FastifyContextConfig extends RouteDemands {}
  interface FastifyRequest extends RequestFacts {}
  interface FastifyInstance {
    /**
     * Begins the shutdown. From now on the server reports "not ready", and starts nothing new: new sockets, and
     * requests other than GET, HEAD and OPTIONS, get 503, except on routes with `whileDraining`.
     */
    drain(): void;
    isDraining(): boolean;
    /**
     * The owner of the credentials or session of a request; for routes that check credentials themselves (`own`).
     * @throws Problem `unauthorized`, `rate_limited`, or `forbidden` for a change without the session's CSRF token
     */
    identify(request: FastifyRequest): Promise<Principal>;
    /**
     * The owner of the console session of a request; null without a session. The CSRF token is not checked: routes that
     * change something must use `identify`.
     */
    sessionOf(request: FastifyRequest): Promise<Principal | null>;
    /** True if the credentials or the session that a stream was opened with are still valid. */
    areCredentialsValid(request: FastifyRequest): Promise<boolean>;
    /**
     * Counts refused credentials against the client's address.
     * @throws Problem `rate_limited` if they are too many, this time included
     */
    countRefusedCredentials(request: FastifyRequest): Promise<void>;
    /**
     * Refuses credentials without a check if too many from the client's address were refused in this minute;
     * credentials that were valid before are let through. Called before credentials are checked.
     * @throws Problem `rate_limited`
     */
    refuseGuessingAddress(request: FastifyRequest, credentials: readonly string[]): void;
    /**
     * Remembers the credentials of a request, one of which is valid. A new combination of several credentials counts as
     * refused credentials, because the others may be guesses.
     * @throws Problem `rate_limited` after too many new combinations
     */
    noteValidCredentials(request: FastifyRequest, credentials: readonly string[]): Promise<void>;
  }
}

/** The server as routes see it: their schemas are zod schemas. */
export type HttpServer = FastifyInstance<
  FastifyInstance['server'],
  FastifyRequest['raw'],
  import('node:http').ServerResponse,
  FastifyInstance['log'],
  ZodTypeProvider
>;
