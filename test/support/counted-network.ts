import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** How each connection of a writer begins its transactions. */
const OF_A_WRITER = 'read committed';

/** A network path to a PostgreSQL server. */
export interface CountedNetwork {
  /** The server's URL on this path. */
  url: string;
  /** How many round trips the connections that write have made. */
  roundTrips(): number;
}

/** Opens a path to the server of a URL, for the present test. */
export async function openCountedNetwork(url: string): Promise<CountedNetwork> {
  const { port, hostname } = new URL(url);
  const sockets: Socket[] = [];
  const trips: { isWriter: boolean; count: number }[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.push(socket.on('error', () => {}));
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return {
    url: way.href,
    roundTrips: () => trips.reduce((sum, { isWriter, count }) => sum + (isWriter ? count : 0), 0),
  };
}
