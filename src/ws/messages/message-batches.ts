import { MessageBatch } from './message-batch.js';
import type { WebSocket } from 'ws';

/*
 * The two message batches of the audio sockets: messages from peers, and messages to peers. `registerAudioSockets`
 * makes one of each for all sockets.
 */

/** WebSocket frame type of a message: binary or text. */
export interface FrameType {
  binary: boolean;
}

/**
 * The outgoing messages of all audio sockets, written together: single writes, in the middle of the work on other
 * audio frames, make every frame an eighth more expensive.
 */
export class OutgoingMessages extends MessageBatch<WebSocket, Buffer | string, FrameType> {
  protected handle(socket: WebSocket, message: Buffer | string, type: FrameType): void {
    if (socket.readyState === socket.OPEN) socket.send(message, type);
  }
}

/** Turns of the event loop over which the messages per turn are averaged. */
const MEASURED_TURNS = 16;
/** With fewer messages per turn, batching gains nothing, and each message would only wait for the end of its turn. */
const LEAST_MESSAGES_PER_TURN = 1.5;
/** After a measurement of few messages, this number is handled without batching; then follows the next one. */
const IMMEDIATE_MESSAGES = 512;

/** The receiver of incoming messages: an `AudioSocket`. */
export interface MessageReceiver {
  receive(message: Buffer, isBinary: boolean): void;
}

/**
 * The incoming messages of all audio sockets, handled together; the messages to peers that they cause are written right
 * after them. Reading a socket runs kernel code and much other code, so an audio frame handled between two reads
 * finds the processor's caches cold. With few calls, a turn brings one frame, which is handled immediately.
 */
export class IncomingMessages extends MessageBatch<MessageReceiver, Buffer, boolean> {
  readonly #outgoing: OutgoingMessages;
  #measuredTurns = 0;
  #measuredMessages = 0;
  /** Number of further messages to handle without batching. */
  #immediateLeft = 0;

  constructor(outgoing: OutgoingMessages) {
    super();
    this.#outgoing = outgoing;
  }

  protected handle(receiver: MessageReceiver, message: Buffer, isBinary: boolean): void {
    receiver.receive(message, isBinary);
  }

  protected override scheduleFlush(): void {
    if (this.#immediateLeft === 0) return super.scheduleFlush();
    this.#immediateLeft -= 1;
    this.flush();
  }

  protected override beforeAll(): void {
    // `afterAll` flushes the answers, so they need no flush of their own.
    this.#outgoing.announceFlush();
  }

  protected override afterAll(count: number): void {
    this.#outgoing.flush();
    if (this.#immediateLeft === 0) this.#measure(count);
  }

  /** Measures the messages per turn, and turns batching off for a while if there are few. */
  #measure(count: number): void {
    this.#measuredTurns += 1;
    this.#measuredMessages += count;
    if (this.#measuredTurns < MEASURED_TURNS) return;
    if (this.#measuredMessages < this.#measuredTurns * LEAST_MESSAGES_PER_TURN)
      this.#immediateLeft = IMMEDIATE_MESSAGES;
    this.#measuredTurns = this.#measuredMessages = 0;
  }
}
