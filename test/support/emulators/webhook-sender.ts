import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Clock } from '#kernel/time/clock.js';

/** A request of an emulated carrier to the service. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** The URL as given by the service, which signatures cover. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface ServiceAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** Timeout of the service's answer. Source: Twilio's webhook connection overrides, `rt` and `tt`. */
const ANSWER_LIMIT_MS = 15_000;

/** Sends an emulated carrier's requests, each over its own socket, which closes after the answer. */
export class WebhookSender {
  readonly #clock: Clock;
  readonly #reach: (url: string) => string;
  readonly #closing: AbortSignal;

  /**
   * @param reach maps a URL of the service to a reachable one
   * @param closing aborts requests in progress
   */
  constructor(clock: Clock, reach: (url: string) => string, closing: AbortSignal) {
    this.#clock = clock;
    this.#reach = reach;
    this.#closing = closing;
  }

  /** @throws if the service cannot be reached or does not answer in time */
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
