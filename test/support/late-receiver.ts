import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { LocalCertificate } from '#webhooks/local-certificate.js';

/** Listens, and then takes no connection before it is let go. */
const LATE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { createServer } = require(workerData.cert ? 'node:https' : 'node:http');
  const server = createServer(workerData, (_request, response) => response.end('"ok"'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData.gate), 0, 0);
  });
`;
/** More than a backlog of one holds: whoever comes then is not heard, and calls again after a second. */
const AHEAD = 4;

export interface LateReceiver {
  port: number;
  /** From now on it takes connections. */
  letGo(): void;
  close(): Promise<unknown>;
}

/**
 * A server far away, on Linux: a connection to it takes a second, as when the first packet is lost.
 * @param made speaks TLS with it; without one, plain HTTP
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
