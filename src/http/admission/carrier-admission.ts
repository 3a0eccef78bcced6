import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { CarrierHttpRequest, CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import {
  expectsMarkup,
  type Sender,
  type CarrierWebhookDispatcher,
} from '#telephony/carrier-webhook-dispatcher.js';
import { hasScope } from './authentication.js';
import type { RefusedCarrierRequests } from './refused-carrier-requests.js';

/** The dependencies of {@link CarrierAdmission}. */
export interface CarrierAdmissionParts {
  dispatcher: Pick<CarrierWebhookDispatcher, 'senderOf'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** True if requests without a signature are accepted. */
  allowsUnsigned: boolean;
  /** @throws Problem `rate_limited` */
  countRefusedCredentials(request: FastifyRequest): Promise<void>;
  refused: Pick<RefusedCarrierRequests, 'note'>;
}

/**
 * Admits requests to the carrier webhook routes (`carrier-webhooks.ts`): those signed by a carrier, those with a
 * credential of the default workspace and the scope `write`, and all others only if `allowsUnsigned`.
 */
export class CarrierAdmission {
  readonly #parts: CarrierAdmissionParts;

  constructor(parts: CarrierAdmissionParts) {
    this.#parts = parts;
  }

  /**
   * The carrier that signed a request; null for a request that is admitted without a valid signature.
   * @param address the carrier and kind of request in the URL; `carrier` is null at `/voice`, which all carriers share
   * @throws Problem `forbidden`, `rate_limited` or `unavailable`. If the answer would be call-control markup, it is
   *   always `forbidden`, so that the route refuses the request instead of apologising to a caller
   */
  async senderOf(
    request: FastifyRequest,
    received: CarrierHttpRequest,
    address: { carrier: string | null; kind: CarrierRequestKind },
  ): Promise<Sender | null> {
    const { dispatcher, allowsUnsigned, refused } = this.#parts;
    try {
      const sender = await dispatcher.senderOf(received, address.carrier);
      if (sender === null && !allowsUnsigned)
        await this.#requireCredential(request, () => refused.note(request, received, address.carrier));
      return sender;
    } catch (error) {
      if (!expectsMarkup(address.kind)) throw error;
      throw this.#asRefusal(request, error);
    }
  }

  /**
   * Decides about a request that failed before its sender was admitted: the refusal, or null if it is admitted. Without
   * its body no signature can be checked, so only a credential admits it. A refused credential counts against the
   * address.
   * @param error why the request failed: its body could not be read, or `senderOf` has refused it already
   */
  async admitFailed(request: FastifyRequest, error: unknown): Promise<Problem | null> {
    if (this.#parts.allowsUnsigned) return null;
    if (error instanceof Problem && error.code === 'forbidden') return error;
    try {
      await this.#requireCredential(request);
      return null;
    } catch (refusal) {
      return this.#asRefusal(request, refusal);
    }
  }

  /**
   * Requires a credential of the operator in place of a carrier's signature, and counts a refusal.
   * @throws Problem `forbidden`, `rate_limited` or `unavailable`
   */
  async #requireCredential(request: FastifyRequest, onRefused = () => {}): Promise<void> {
    const { authenticator, countRefusedCredentials } = this.#parts;
    const principal = await authenticator.authenticate(request.headers).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unauthorized') return null;
      throw error;
    });
    // A carrier acts on the numbers of all workspaces: only the operator may act in its place.
    if (principal?.workspace === DEFAULT_WORKSPACE && hasScope(principal, 'write')) return;
    onRefused();
    await countRefusedCredentials(request);
    throw new Problem('forbidden', 'The signature of the carrier is missing or wrong.');
  }

  /**
   * The refusal for any failure to find the sender, also for an unavailable database; an unexpected error is logged.
   */
  #asRefusal(request: FastifyRequest, error: unknown): Problem {
    if (error instanceof Problem && error.code === 'forbidden') return error;
    if (!(error instanceof Problem))
      request.log.error({ err: error, request_id: request.id }, 'a sender could not be found out');
    return new Problem('forbidden', 'The sender of the request could not be determined.');
  }
}
