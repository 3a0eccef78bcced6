import type { WebSocket } from 'ws';

/** So many are enough to be sent in one go; more would hide from a socket for too long that its peer does not read. */
const MOST_GATHERED = 64;

/** How a message travels. */
export interface MessageType {
  binary: boolean;
}

/**
 * What leaves on all audio sockets, gathered for one turn of the event loop and then sent in one go, in order. Going to
 * the kernel and back for each frame, in the midst of the next one's work, costs every frame an eighth more.
 */
export class OutgoingMessages {
  #sockets: WebSocket[] = [];
  #messages: (Buffer | string)[] = [];
  #types: MessageType[] = [];

  /** Sends a message within this turn. It must not change any more. */
  add(socket: WebSocket, message: Buffer | string, type: MessageType): void {
    if (this.#sockets.length === 0) setImmediate(() => this.flush());
    this.#sockets.push(socket);
    this.#messages.push(message);
    this.#types.push(type);
    if (this.#sockets.length === MOST_GATHERED) this.flush();
  }

  /** Sends at once what waits: nothing can follow the close of a socket. */
  flush(): void {
    const [sockets, messages, types] = [this.#sockets, this.#messages, this.#types];
    if (sockets.length === 0) return;
    [this.#sockets, this.#messages, this.#types] = [[], [], []];
    for (let i = 0; i < sockets.length; i += 1) {
      const socket = sockets[i]!;
      if (socket.readyState === socket.OPEN) socket.send(messages[i]!, types[i]!);
    }
  }
}
