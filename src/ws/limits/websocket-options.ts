import type { WebsocketPluginOptions } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { closingFor, SHUTTING_DOWN } from './closing.js';

/** Half a minute of wide-band audio in one message; a longer message closes its socket with 1009. */
const LONGEST_MESSAGE_BYTES = 1024 * 1024;
/** How long peers may take to answer our close frame at shutdown. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Accepted sub-protocols: `bearer`, with which browsers send a credential, and those of jambonz, which closes sockets
 * that do not confirm them.
 */
const SUB_PROTOCOLS = ['bearer', 'audio.drachtio.org', 'audio.jambonz.org'];

/**
 * Options of the plugin `@fastify/websocket`, which serves all sockets. The defaults of the plugin close a socket with
 * 1006 on an error and with 1005 at shutdown; with these options it is the code of {@link closingFor}, mostly 1011, and
 * 1001.
 */
export function webSocketOptions(parts: { clock: Clock; log: Log }): WebsocketPluginOptions {
  return {
    options: {
      maxPayload: LONGEST_MESSAGE_BYTES,
      // Compressing 20 ms frames costs ten times as much as sending them.
      perMessageDeflate: false,
      handleProtocols: (offered) => SUB_PROTOCOLS.find((name) => offered.has(name)) ?? false,
    },
    errorHandler(error, socket) {
      // The library closes invalid WebSocket frames itself, with the proper code.
      if ('code' in error && String(error.code).startsWith('WS_ERR_')) return;
      parts.log.error({ err: error }, 'web socket failed');
      const { code, reason } = closingFor(error);
      socket.close(code, reason);
    },
    async preClose(this: FastifyInstance) {
      const sockets = [...this.websocketServer.clients];
      const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.close(SHUTTING_DOWN.code, SHUTTING_DOWN.reason);
      const cancel = parts.clock.after(CLOSE_TIMEOUT_MS, () =>
        sockets.forEach((socket) => socket.terminate()),
      );
      await Promise.all(closed);
      cancel();
      this.websocketServer.close();
    },
  };
}
