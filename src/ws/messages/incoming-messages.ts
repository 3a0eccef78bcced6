import type { OutgoingMessages } from './outgoing-messages.js';
import { TurnBatch } from './turn-batch.js';

/** From so many turns on it is known how many messages a turn brings. */
const WATCHED_TURNS = 16;
/** Fewer messages a turn gain nothing from being gathered: each waits a round of the event loop for its end. */
const WORTH_GATHERING = 1.5;
/** So many messages are then handled as they come, before turns are watched again. */
const UNGATHERED = 512;

/** Whom a message is for. */
export interface MessageReceiver {
  receive(message: Buffer, isBinary: boolean): void;
}

/**
 * What has come on all audio sockets; what is answered to it leaves right after. Reading from a socket goes through the
 * kernel and much code that has nothing to do with calls: a frame that is handled between two such readings finds the
 * processor's caches full of that. With few calls a turn brings one frame only, which is handled as it comes.
 */
export class IncomingMessages extends TurnBatch<MessageReceiver, Buffer, boolean> {
  readonly #outgoing: OutgoingMessages;
  #watchedTurns = 0;
  #watchedMessages = 0;
  /** How many further messages are handled as they come. */
  #ungathered = 0;

  constructor(outgoing: OutgoingMessages) {
    super();
    this.#outgoing = outgoing;
  }

  protected handle(receiver: MessageReceiver, message: Buffer, isBinary: boolean): void {
    receiver.receive(message, isBinary);
  }

  protected override planFlush(): void {
    if (this.#ungathered === 0) return super.planFlush();
    this.#ungathered -= 1;
    this.flush();
  }

  protected override beforeAll(): void {
    this.#outgoing.expectFlush();
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
