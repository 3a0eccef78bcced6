import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { LocalCertificate } from '#webhooks/local-certificate.js';

/** Listens, but accepts no connection until told. */
const LATE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { createServer } = require(workerData.cert ? 'node:https' : 'node:http');
  const server = createServer(workerData, (_request, response) => response.end('"ok"'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData.gate), 0, 0);
  });
`;
/** More connections than a backlog of one holds: further ones get no answer and are retried after a second. */
const AHEAD = 4;

export interface LateReceiver {
  port: number;
  /** Starts accepting connections. */
  letGo(): void;
  close(): Promise<unknown>;
}

/**
 * A distant server, on Linux: connecting takes a second, as after a lost first packet.
 * @param made its certificate for TLS; without one, plain HTTP
 */
export async function openLateReceiver(made?: LocalCertificate): Promise<LateReceiver> {
  const { key, certificate: cert } = made ?? {};
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(LATE, { eval: true, workerData: { key, cert, gate } });
  const [port] = (await once(worker, 'message')) as [number];
  const ahead = Array.from({ length: AHEAD }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(ahead.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    port,
    letGo() {
      Atomics.store(new Int32Array(gate), 0, 1);
      Atomics.notify(new Int32Array(gate), 0);
    },
    close() {
      for (const socket of ahead) socket.destroy();
      return worker.terminate();
    },
  };
}
