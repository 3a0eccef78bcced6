import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A network path to a server that can silently lose all traffic in both directions. */
export interface SwallowingNetwork {
  /** The server's URL on this path. */
  url: string;
  /** From now on all traffic is lost; new connections open but carry nothing. */
  swallow(): void;
  /** New connections work again; traffic of the others stays lost. */
  carry(): void;
}

/** Opens a path to the server of a URL, for the present test. */
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
