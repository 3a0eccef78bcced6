import type { FastifyRequest } from 'fastify';
import type { Authenticator } from '#access/authenticator.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { Problem } from '#kernel/errors/errors.js';
import type { CarrierHttpRequest, CarrierRequestKind } from '#telephony/port/carrier-webhooks.js';
import {
  wantsDocument,
  type Sender,
  type CarrierWebhookDispatcher,
} from '#telephony/carrier-webhook-dispatcher.js';
import { hasScope } from './authentication.js';
import type { RefusedCarrierRequests } from './refused-carrier-requests.js';

export interface CarrierAdmissionParts {
  dispatcher: Pick<CarrierWebhookDispatcher, 'senderOf'>;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** Whether requests are believed that nobody has signed. */
  allowsUnsigned: boolean;
  /** @throws Problem `rate_limited` */
  countRefusedCredentials(request: FastifyRequest): Promise<void>;
  refused: Pick<RefusedCarrierRequests, 'note'>;
}

/** Whom the addresses of carriers listen to: who signs as a carrier, or has a credential of the default workspace. */
export class CarrierAdmission {
  readonly #parts: CarrierAdmissionParts;

  constructor(parts: CarrierAdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Who has signed a request; null for nobody who had to.
   * @throws Problem `forbidden`; where a document is waited for, no other
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
      if (!wantsDocument(address.kind)) throw error;
      throw this.#asRefusal(request, error);
    }
  }

  /**
   * Why a request is refused whose body could not be taken, so that no signature of it can be looked at; null if not.
   */
  async refusalOf(request: FastifyRequest, trouble: unknown): Promise<Problem | null> {
    if (this.#parts.allowsUnsigned) return null;
    if (trouble instanceof Problem && trouble.code === 'forbidden') return trouble;
    try {
      await this.#requireCredential(request);
      return null;
    } catch (error) {
      return this.#asRefusal(request, error);
    }
  }

  /** @throws Problem `forbidden` */
  async #requireCredential(request: FastifyRequest, onRefused = () => {}): Promise<void> {
    const { authenticator, countRefusedCredentials } = this.#parts;
    const principal = await authenticator.authenticate(request.headers).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unauthorized') return null;
      throw error;
    });
    // A carrier speaks for the numbers of all workspaces: only whoever runs the service may speak in its place.
    if (principal?.workspace === DEFAULT_WORKSPACE && hasScope(principal, 'write')) return;
    onRefused();
    await countRefusedCredentials(request);
    throw new Problem('forbidden', 'The signature of the carrier is missing or wrong.');
  }

  /** Who cannot be known is nobody, whatever the reason. */
  #asRefusal(request: FastifyRequest, error: unknown): Problem {
    if (error instanceof Problem && error.code === 'forbidden') return error;
    if (!(error instanceof Problem))
      request.log.error({ err: error, request_id: request.id }, 'a sender could not be found out');
    return new Problem('forbidden', 'The sender of the request could not be determined.');
  }
}
