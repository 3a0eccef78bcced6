import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to a server that can lose everything that is sent on it, in both directions, without a word. */
export interface SwallowingNetwork {
  /** Where the server is reached by that way. */
  url: string;
  /** From now on nothing arrives; new connections are made, and nobody is heard on them. */
  swallow(): void;
  /** New connections work again; what was sent on the others is lost. */
  carry(): void;
}

/** Opens a way to the server of a URL, for the test that is running. */
export async function openSwallowingNetwork(url: string): Promise<SwallowingNetwork> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) => {
    keep(near);
    if (isSwallowing) return;
    const far = keep(connect(Number(port), hostname));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    swallow() {
      isSwallowing = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    carry() {
      isSwallowing = false;
    },
  };
}
