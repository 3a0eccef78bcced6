import { MessageBatch } from './message-batch.js';
import type { WebSocket } from 'ws';

/** Frame type of a message. */
export interface MessageType {
  binary: boolean;
}

/**
 * Outgoing messages of all audio sockets. A write per frame, in the middle of the next frame's work, makes every frame
 * an eighth more expensive.
 */
export class OutgoingMessages extends MessageBatch<WebSocket, Buffer | string, MessageType> {
  protected handle(socket: WebSocket, message: Buffer | string, type: MessageType): void {
    if (socket.readyState === socket.OPEN) socket.send(message, type);
  }
}

/** Turns over which the messages per turn are averaged. */
const WATCHED_TURNS = 16;
/** With fewer messages per turn, batching gains nothing: each message waits for the end of its turn. */
const WORTH_GATHERING = 1.5;
/** Messages handled at once before the next measurement. */
const UNGATHERED = 512;

/** Receiver of messages. */
export interface MessageReceiver {
  receive(message: Buffer, isBinary: boolean): void;
}

/**
 * Incoming messages of all audio sockets; their answers leave right after them. Reading a socket runs kernel code and
 * much other code, so a frame handled between two reads finds the processor's caches cold. With few calls a turn
 * brings one frame, which is handled at once.
 */
export class IncomingMessages extends MessageBatch<MessageReceiver, Buffer, boolean> {
  readonly #outgoing: OutgoingMessages;
  #watchedTurns = 0;
  #watchedMessages = 0;
  /** Number of further messages to handle at once. */
  #ungathered = 0;

  constructor(outgoing: OutgoingMessages) {
    super();
    this.#outgoing = outgoing;
  }

  protected handle(receiver: MessageReceiver, message: Buffer, isBinary: boolean): void {
    receiver.receive(message, isBinary);
  }

  protected override scheduleFlush(): void {
    if (this.#ungathered === 0) return super.scheduleFlush();
    this.#ungathered -= 1;
    this.flush();
  }

  protected override beforeAll(): void {
    this.#outgoing.announceFlush();
  }

  protected override afterAll(count: number): void {
    this.#outgoing.flush();
    if (this.#ungathered === 0) this.#watch(count);
  }

  #watch(count: number): void {
    this.#watchedTurns += 1;
    this.#watchedMessages += count;
    if (this.#watchedTurns < WATCHED_TURNS) return;
    if (this.#watchedMessages < this.#watchedTurns * WORTH_GATHERING) this.#ungathered = UNGATHERED;
    this.#watchedTurns = this.#watchedMessages = 0;
  }
}
