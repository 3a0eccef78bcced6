import { SocketRefused, type OpenSocket, type OutboundSocket } from '#outbound-http/socket.js';
import type { ConnectSocket, SocketEnd, SocketHandlers } from './socket.js';

/** The close code of a connection that broke or was never made. */
const BROKEN = 1006;

/** Makes the port {@link ConnectSocket} (callbacks) from sockets that are read on demand, for streaming recognisers. */
export function callbackSockets(openSocket: OpenSocket): ConnectSocket {
  return (target, handlers) => {
    const opening = new AbortController();
    let socket: OutboundSocket | null = null;
    const run = async (): Promise<SocketEnd> => {
      socket = await openSocket(target, opening.signal);
      handlers.onOpen();
      await passOnMessages(socket, handlers);
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

async function passOnMessages(socket: OutboundSocket, { onMessage }: SocketHandlers): Promise<void> {
  for (let message = await socket.next(); message; message = await socket.next())
    onMessage('text' in message ? message.text : message.bytes);
}

function endOf(error: unknown): SocketEnd {
  const reason = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SocketRefused)) return { code: BROKEN, reason };
  return { code: BROKEN, reason, refusal: { status: error.status, body: error.body } };
}
