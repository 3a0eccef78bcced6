import { once } from 'node:events';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeLocalCertificate } from '#webhooks/local-certificate.js';

/** Where deliveries go, and whom to trust there. */
export interface Endpoint {
  url: string;
  certificate: string;
}

/** Tell the receiver to say when so many requests have come from now on. */
export interface Await {
  count: number;
  /** Whether bodies say when their event happened (`data.happened_at`, epoch milliseconds). */
  isTimed: boolean;
}

/** What came: how long each event took to get here, where that was asked for; milliseconds. */
export interface Arrived {
  latenessMs: number[];
}

/** A receiver that takes everything, in a process of its own. */
export async function receive(): Promise<void> {
  const made = await makeLocalCertificate(['127.0.0.1']);
  let awaited: Await = { count: 0, isTimed: false };
  let come = 0;
  let latenessMs: number[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request);
    response.writeHead(200, { 'content-length': 2 }).end('ok');
    come += 1;
    if (awaited.isTimed) latenessMs.push(Date.now() - happenedAt(body));
    if (come !== awaited.count) return;
    const arrived: Arrived = { latenessMs };
    process.send!(arrived);
  };
  const server = createServer({ key: made.key, cert: made.certificate }, (request, response) => {
    take(request, response).catch(() => response.destroy());
  });
  process.on('message', (message: Await) => {
    awaited = message;
    come = 0;
    latenessMs = [];
    process.send!('ready');
  });
  // A sender that waits for its turn on a busy machine must not find its connection closed.
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint: Endpoint = { url: `https://127.0.0.1:${port}/hook`, certificate: made.certificate };
  process.send!(endpoint);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function happenedAt(body: Buffer): number {
  const { data } = JSON.parse(body.toString()) as { data: { happened_at: number } };
  return data.happened_at;
}
