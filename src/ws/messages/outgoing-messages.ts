import type { WebSocket } from 'ws';
import { TurnBatch } from './turn-batch.js';

/** Frame type of a message. */
export interface MessageType {
  binary: boolean;
}

/**
 * Outgoing messages of all audio sockets. A write per frame, in the middle of the next frame's work, makes every frame
 * an eighth more expensive.
 */
export class OutgoingMessages extends TurnBatch<WebSocket, Buffer | string, MessageType> {
  protected handle(socket: WebSocket, message: Buffer | string, type: MessageType): void {
    if (socket.readyState === socket.OPEN) socket.send(message, type);
  }
}
