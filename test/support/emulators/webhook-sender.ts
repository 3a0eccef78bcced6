import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '#kernel/time/clock.js';

/** A request that an emulated carrier makes of the service. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** As the service has named it; that is also what signatures cover. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface ServiceAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** How long a service may take to answer. Source: Twilio's webhook connection overrides, `rt` and `tt`. */
const ANSWER_LIMIT_MS = 15_000;

/** Sends an emulated carrier's requests over sockets of their own, which are gone when the answer is there. */
export class WebhookSender {
  readonly #clock: Clock;
  readonly #reach: (url: string) => string;
  readonly #closing: AbortSignal;

  /**
   * @param reach where an address of the service can really be reached
   * @param closing breaks off what is under way
   */
  constructor(clock: Clock, reach: (url: string) => string, closing: AbortSignal) {
    this.#clock = clock;
    this.#reach = reach;
    this.#closing = closing;
  }

  /** @throws when the service cannot be reached, or does not answer in time */
  async send(outgoing: OutgoingRequest): Promise<ServiceAnswer> {
    const late = new AbortController();
    const cancel = this.#clock.after(ANSWER_LIMIT_MS, () => late.abort());
    try {
      return await this.#exchange(outgoing, AbortSignal.any([late.signal, this.#closing]));
    } finally {
      cancel();
    }
  }

  #exchange({ method, url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<ServiceAnswer> {
    const address = new URL(this.#reach(url));
    const start = address.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const options = { method, signal, agent: false, headers: { ...headers, connection: 'close' } };
      const sent = start(address, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(method === 'POST' ? body : undefined);
    });
  }
}
