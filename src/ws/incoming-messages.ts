import type { OutgoingMessages } from './outgoing-messages.js';

/** So many are enough to be handled in one go; more would keep timers and other sockets waiting. */
const MOST_GATHERED = 64;

/** Whom a message is for. */
export interface MessageReceiver {
  receive(message: Buffer, isBinary: boolean): void;
}

/**
 * What has come on all audio sockets, gathered for one turn of the event loop and then handled in one go, in order;
 * what is answered leaves right after. Reading from a socket goes through the kernel and much code that has nothing to
 * do with calls: a frame that is handled between two such readings finds the processor's caches full of that, and takes
 * twice as long.
 */
export class IncomingMessages {
  readonly #outgoing: OutgoingMessages;
  #receivers: MessageReceiver[] = [];
  #messages: Buffer[] = [];
  #areBinary: boolean[] = [];

  constructor(outgoing: OutgoingMessages) {
    this.#outgoing = outgoing;
  }

  /** Hands a message to its receiver within this turn. */
  add(receiver: MessageReceiver, message: Buffer, isBinary: boolean): void {
    if (this.#receivers.length === 0) setImmediate(() => this.flush());
    this.#receivers.push(receiver);
    this.#messages.push(message);
    this.#areBinary.push(isBinary);
    if (this.#receivers.length === MOST_GATHERED) this.flush();
  }

  /** Handles at once what waits: a socket that closes has said all of it. */
  flush(): void {
    const [receivers, messages, areBinary] = [this.#receivers, this.#messages, this.#areBinary];
    if (receivers.length === 0) return;
    [this.#receivers, this.#messages, this.#areBinary] = [[], [], []];
    for (let i = 0; i < receivers.length; i += 1) receivers[i]!.receive(messages[i]!, areBinary[i]!);
    this.#outgoing.flush();
  }
}
