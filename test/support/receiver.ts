import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '#kernel/time/clock.js';
import { makeLocalCertificate, type LocalCertificate } from '#webhooks/local-certificate.js';
import { temporaryFolder } from './temporary-folder.js';

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The reaction of a receiver to a request; default status 200. */
export type Answering = (received: Received, response: ServerResponse) => void;

/** A webhook receiver on a real TLS socket of this machine. */
export class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  #listeners: (() => void)[] = [];
  answering: Answering;

  private constructor(server: Server, answering: Answering) {
    this.#server = server;
    this.answering = answering;
    server.on('request', (request, response) => void this.#take(request, response));
  }

  static async open(certificate: LocalCertificate, answering: Answering = ok): Promise<Receiver> {
    const server = createServer({ key: certificate.key, cert: certificate.certificate });
    const receiver = new Receiver(server, answering);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  /** Its URL, such as `https://127.0.0.1:4433`. */
  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves after this many requests. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { url, headers } = request;
    const body = Buffer.concat(chunks).toString();
    const received = { path: url ?? '', headers, body, at: systemClock.wallMs() };
    this.received.push(received);
    this.answering(received, response);
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

function ok(_received: Received, response: ServerResponse): void {
  response.writeHead(200).end('ok');
}

/** Always answers with this status. */
export function answerWith(status: number, headers: Record<string, string> = {}): Answering {
  return (_received, response) => void response.writeHead(status, headers).end();
}

/** A certificate for this machine, and a file of it for the service's trusted authorities. */
export async function trustedCertificate(): Promise<{ certificate: LocalCertificate; caFile: string }> {
  const certificate = await makeLocalCertificate(['localhost', '127.0.0.1', '::1']);
  const caFile = join(temporaryFolder(), 'ca.pem');
  writeFileSync(caFile, certificate.certificate);
  return { certificate, caFile };
}
