import type { WebSocket } from 'ws';
import { TurnBatch } from './turn-batch.js';

/** How a message travels. */
export interface MessageType {
  binary: boolean;
}

/**
 * What leaves on all audio sockets. Going to the kernel and back for each frame, in the midst of the next one's work,
 * costs every frame an eighth more.
 */
export class OutgoingMessages extends TurnBatch<WebSocket, Buffer | string, MessageType> {
  protected handle(socket: WebSocket, message: Buffer | string, type: MessageType): void {
    if (socket.readyState === socket.OPEN) socket.send(message, type);
  }
}
