import type { Clock } from '#kernel/time/clock.js';
import { SocketRefused, type OpenSocket, type OutboundSocket } from '#outbound-http/socket.js';
import type { ConnectSocket, SocketEnd, SocketHandlers } from './socket.js';

/** The close code of a connection that broke or was never made. */
const BROKEN = 1006;
/** The interval of pings. */
const PING_EVERY_MS = 10_000;
/** Timeout of the answer to a ping: a peer that exceeds it is gone, and its connection is cut. */
const PONG_TIMEOUT_MS = 5_000;

/**
 * Makes the port {@link ConnectSocket}, which reports messages and the end by callbacks, from the service's sockets,
 * which are read on demand. The streaming recognisers of `SpeechProviders` use it. Pings detect a peer that has
 * vanished without closing, also while no message is due. Data sent before the connection is open is dropped.
 */
export function createCallbackSockets(openSocket: OpenSocket, clock: Clock): ConnectSocket {
  return (target, handlers) => {
    const opening = new AbortController();
    let socket: OutboundSocket | null = null;
    const run = async (): Promise<SocketEnd> => {
      socket = await openSocket(target, opening.signal);
      handlers.onOpen();
      const stopPings = startPings(socket, clock);
      await passOnMessages(socket, handlers).finally(stopPings);
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

/** Pings a peer at an interval, and cuts the connection if it does not answer. Returns the function that stops it. */
function startPings(socket: OutboundSocket, clock: Clock): () => void {
  let cancel = () => {};
  const wait = () => {
    cancel = clock.after(PING_EVERY_MS, ping);
  };
  const ping = () => {
    cancel = clock.after(PONG_TIMEOUT_MS, () => socket.terminate());
    socket.ping(() => {
      cancel();
      wait();
    });
  };
  wait();
  return () => {
    cancel();
    cancel = () => {};
  };
}

/** Passes every message on until the connection ends. */
async function passOnMessages(socket: OutboundSocket, { onMessage }: SocketHandlers): Promise<void> {
  for (let message = await socket.next(); message; message = await socket.next())
    onMessage('text' in message ? message.text : message.bytes);
}

/** The end of a connection that broke or was never made; `refusal` is the HTTP answer that refused the handshake. */
function endOf(error: unknown): SocketEnd {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SocketRefused)) return { code: BROKEN, reason };
  return { code: BROKEN, reason, refusal: { status: error.status, body: error.body } };
}
