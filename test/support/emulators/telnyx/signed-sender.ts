import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Clock } from '#kernel/time/clock.js';
import type {
  OutgoingRequest,
  ServiceAnswer,
  WebhookSender,
} from '#test/support/emulators/webhook-sender.js';

/** Sends requests with Telnyx's signature: Ed25519 over the time and the body. */
export class SignedSender {
  /** In the portal's format: 32 bytes in base64. */
  readonly publicKey: string;
  readonly #privateKey: KeyObject;
  readonly #clock: Clock;
  readonly #sender: Pick<WebhookSender, 'send'>;

  constructor(clock: Clock, sender: Pick<WebhookSender, 'send'>) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#privateKey = privateKey;
    this.#clock = clock;
    this.#sender = sender;
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
  }

  /** The answer; null if there is none. */
  async send(url: string, contentType: string, body: string): Promise<ServiceAnswer | null> {
    const timestamp = String(Math.floor(this.#clock.wallMs() / 1000));
    const signature = sign(null, Buffer.from(`${timestamp}|${body}`), this.#privateKey);
    const headers = {
      'content-type': contentType,
      'user-agent': 'telnyx-webhooks',
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature.toString('base64'),
    };
    const outgoing: OutgoingRequest = { method: 'POST', url, headers, body };
    return this.#sender.send(outgoing).catch(() => null);
  }
}
