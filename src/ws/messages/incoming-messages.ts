import type { OutgoingMessages } from './outgoing-messages.js';
import { TurnBatch } from './turn-batch.js';

/** Whom a message is for. */
export interface MessageReceiver {
  receive(message: Buffer, isBinary: boolean): void;
}

/**
 * What has come on all audio sockets; what is answered to it leaves right after. Reading from a socket goes through the
 * kernel and much code that has nothing to do with calls: a frame that is handled between two such readings finds the
 * processor's caches full of that.
 */
export class IncomingMessages extends TurnBatch<MessageReceiver, Buffer, boolean> {
  readonly #outgoing: OutgoingMessages;

  constructor(outgoing: OutgoingMessages) {
    super();
    this.#outgoing = outgoing;
  }

  protected handle(receiver: MessageReceiver, message: Buffer, isBinary: boolean): void {
    receiver.receive(message, isBinary);
  }

  protected override afterAll(): void {
    this.#outgoing.flush();
  }
}
