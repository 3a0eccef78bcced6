import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

// Network paths to a server, such as PostgreSQL, on which tests count or lose what is sent.

/** How each connection of a writer begins its transactions. */
const OF_A_WRITER = 'read committed';

/** A path that counts. */
export interface CountedNetwork {
  /** The server's URL on this path. */
  url: string;
  /** How many round trips the connections that write have made. */
  roundTrips(): number;
}

/** A path that can silently lose all traffic in both directions. */
export interface SwallowingNetwork {
  /** The server's URL on this path. */
  url: string;
  /** From now on all traffic is lost; new connections open but carry nothing. */
  swallow(): void;
  /** New connections work again; traffic of the others stays lost. */
  carry(): void;
}

/** Opens a path that counts to the server of a URL, for the present test. */
export async function openCountedNetwork(url: string): Promise<CountedNetwork> {
  const trips: { isWriter: boolean; count: number }[] = [];
  const path = await openPath(url, (near, open) => {
    const far = open();
    const trip = { isWriter: false, count: 0 };
    trips.push(trip);
    let isAnswered = true;
    near.on('data', (sent) => {
      trip.isWriter ||= sent.includes(OF_A_WRITER);
      if (isAnswered) trip.count += 1;
      isAnswered = false;
    });
    far.on('data', () => (isAnswered = true));
    near.pipe(far).pipe(near);
  });
  return {
    url: path.url,
    roundTrips: () => trips.reduce((sum, { isWriter, count }) => sum + (isWriter ? count : 0), 0),
  };
}

/** Opens a path that can lose everything to the server of a URL, for the present test. */
export async function openSwallowingNetwork(url: string): Promise<SwallowingNetwork> {
  let isSwallowing = false;
  const path = await openPath(url, (near, open) => {
    if (isSwallowing) return;
    near.pipe(open()).pipe(near);
  });
  return {
    url: path.url,
    swallow() {
      isSwallowing = true;
      for (const socket of path.sockets) socket.unpipe().pause();
    },
    carry() {
      isSwallowing = false;
    },
  };
}

/**
 * Opens a port before the server of a URL, for the present test.
 * @param onConnection gets each connection, and a function that opens one to the server
 */
async function openPath(
  url: string,
  onConnection: (near: Socket, open: () => Socket) => void,
): Promise<{ url: string; sockets: ReadonlySet<Socket> }> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    return socket;
  };
  const server = createServer((near) =>
    onConnection(keep(near), () => keep(connect(Number(port), hostname))),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return { url: way.href, sockets };
}
