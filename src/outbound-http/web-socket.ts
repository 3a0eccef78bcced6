import { WebSocket } from 'ws';

const HANDSHAKE_TIMEOUT_MS = 3_000;
/** The longest message that a provider may send: a second of sound in text is a tenth of it. */
const LONGEST_MESSAGE = 4 * 1024 * 1024;
/** How much of a refusal is read: enough for its reason. */
const LONGEST_REFUSAL = 2_000;
const BROKEN = 1006;

/** What a socket tells; nothing follows `onClose`. */
interface Handlers {
  onOpen(): void;
  onMessage(data: string | Uint8Array): void;
  onClose(end: { code: number; reason: string; refusal?: { status: number; body: string } }): void;
}

/** Opens a WebSocket to another server. A handshake that is refused is told with the answer. */
export function connectSocket(
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  handlers: Handlers,
) {
  const socket = new WebSocket(url, {
    headers: { ...headers },
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
    followRedirects: false,
  });
  let hasEnded = false;
  const end: Handlers['onClose'] = (how) => {
    if (!hasEnded) handlers.onClose(how);
    hasEnded = true;
  };
  socket.on('open', () => handlers.onOpen());
  socket.on('message', (data: Buffer, isBinary) =>
    handlers.onMessage(isBinary ? data : data.toString('utf8')),
  );
  socket.on('unexpected-response', (request, response) => {
    let body = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (body = (body + part).slice(0, LONGEST_REFUSAL)));
    const status = response.statusCode ?? 0;
    const refuse = () => {
      end({ code: BROKEN, reason: `refused with ${status}`, refusal: { status, body } });
      request.destroy();
    };
    response.on('end', refuse);
    response.on('error', refuse);
  });
  socket.on('error', (error) => end({ code: BROKEN, reason: error.message }));
  socket.on('close', (code, reason) => end({ code, reason: reason.toString() }));
  return {
    send: (data: string | Uint8Array) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
    close: () => socket.close(),
    terminate: () => socket.terminate(),
  };
}
