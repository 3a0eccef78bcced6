import type { Clock } from '#kernel/time/clock.js';
import { SocketRefused, type OpenSocket, type OutboundSocket } from '#outbound-http/socket.js';
import type { ConnectSocket, SocketEnd, SocketHandlers } from './socket.js';

/** The close code of a connection that broke or was never made. */
const BROKEN = 1006;
const PING_EVERY_MS = 10_000;
/** A peer that has not answered a ping within this time is gone: its connection is cut. */
const PONG_LIMIT_MS = 5_000;

/**
 * Converts sockets that are read on demand to sockets with callbacks. A peer that vanished without closing is noticed
 * by a ping, also while there is nothing to say to it.
 */
export function tellingSockets(openSocket: OpenSocket, clock: Clock): ConnectSocket {
  return (target, handlers) => {
    const opening = new AbortController();
    let socket: OutboundSocket | null = null;
    const run = async (): Promise<SocketEnd> => {
      socket = await openSocket(target, opening.signal);
      handlers.onOpen();
      const stopPings = keepPinging(socket, clock);
      await tellMessages(socket, handlers).finally(stopPings);
      return socket.end ?? { code: BROKEN, reason: '' };
    };
    void run()
      .catch(endOf)
      .then((end) => handlers.onClose(end));
    return {
      send: (data) => socket?.send(data),
      close: () => (socket ? socket.close() : opening.abort()),
      terminate: () => (socket ? socket.terminate() : opening.abort()),
    };
  };
}

/** @returns stops it */
function keepPinging(socket: OutboundSocket, clock: Clock): () => void {
  let cancel = () => {};
  const rest = () => {
    cancel = clock.after(PING_EVERY_MS, ping);
  };
  const ping = () => {
    cancel = clock.after(PONG_LIMIT_MS, () => socket.terminate());
    socket.ping(() => {
      cancel();
      rest();
    });
  };
  rest();
  return () => {
    cancel();
    cancel = () => {};
  };
}

async function tellMessages(socket: OutboundSocket, { onMessage }: SocketHandlers): Promise<void> {
  for (let message = await socket.next(); message; message = await socket.next())
    onMessage('text' in message ? message.text : message.bytes);
}

function endOf(error: unknown): SocketEnd {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SocketRefused)) return { code: BROKEN, reason };
  return { code: BROKEN, reason, refusal: { status: error.status, body: error.body } };
}
