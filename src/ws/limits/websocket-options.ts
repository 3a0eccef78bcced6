import type { WebsocketPluginOptions } from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { closingFor, SHUTTING_DOWN } from './closing.js';

/** Half a minute of wide-band sound in one message; longer ones are closed with 1009. */
const LONGEST_MESSAGE_BYTES = 1024 * 1024;
/** How long peers may take to answer our close frame when the server stops. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Sub-protocols that are agreed to when they are offered: how browsers send a credential, and the names under which
 * jambonz speaks, which closes sockets that do not repeat them.
 */
const SUB_PROTOCOLS = ['bearer', 'audio.drachtio.org', 'audio.jambonz.org'];

/**
 * How `@fastify/websocket` is registered. Its own defaults close a socket with 1006 on an error and 1005 at shutdown;
 * ours say 1011 and 1001.
 */
export function webSocketOptions(parts: { clock: Clock; log: Log }): WebsocketPluginOptions {
  return {
    options: {
      maxPayload: LONGEST_MESSAGE_BYTES,
      // Compressing 20 ms frames costs ten times what carrying them does.
      perMessageDeflate: false,
      handleProtocols: (offered) => SUB_PROTOCOLS.find((name) => offered.has(name)) ?? false,
    },
    errorHandler(error, socket) {
      // Frames that break the WebSocket protocol: the library closes those itself, with the code that fits.
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
