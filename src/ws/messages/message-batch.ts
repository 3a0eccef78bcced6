/** A batch of this size is handled at once: a larger one would delay timers, and hide that a peer does not read. */
const LARGEST_BATCH = 64;

/**
 * Gathers messages of all audio sockets during one turn of the event loop, and handles them in order at the end of that
 * turn. The arrays are reused, because new arrays for every turn would cost garbage collection. `IncomingMessages` and
 * `OutgoingMessages` extend this class: `Peer` is the receiver of a message, and `Kind` its frame type.
 */
export abstract class MessageBatch<Peer, Message, Kind> {
  /** The messages of the batch, in three arrays: their first `#count` entries are filled. */
  readonly #peers: (Peer | null)[] = [];
  readonly #messages: (Message | null)[] = [];
  readonly #kinds: Kind[] = [];
  #count = 0;
  /** True during `flush`: messages that are added then join the same batch. */
  #isHandling = false;
  /** True from `announceFlush` to the next `flush`. */
  #isFlushAhead = false;
  readonly #onTurnEnd = () => this.flush();

  /**
   * Adds a message, to be handled at the end of this turn or when the batch is full. The caller must not change the
   * message later.
   */
  add(peer: Peer, message: Message, kind: Kind): void {
    const at = this.#count++;
    this.#peers[at] = peer;
    this.#messages[at] = message;
    this.#kinds[at] = kind;
    if (at === LARGEST_BATCH - 1) this.flush();
    else if (at === 0 && !this.#isFlushAhead) this.scheduleFlush();
  }

  /** Called by code that will call `flush` in this turn: messages added until then schedule no other `flush`. */
  announceFlush(): void {
    this.#isFlushAhead = true;
  }

  /**
   * Handles the pending messages at once, for example before a socket closes. If `handle` throws, the messages after it
   * are dropped.
   */
  flush(): void {
    this.#isFlushAhead = false;
    if (this.#count === 0 || this.#isHandling) return;
    this.#isHandling = true;
    this.beforeAll();
    try {
      // Includes messages that are added while others are handled.
      for (let at = 0; at < this.#count; at += 1) {
        const [peer, message] = [this.#peers[at]!, this.#messages[at]!];
        this.#peers[at] = this.#messages[at] = null;
        this.handle(peer, message, this.#kinds[at]!);
      }
    } finally {
      const handled = this.#count;
      this.#count = 0;
      this.#isHandling = false;
      this.afterAll(handled);
    }
  }

  /**
   * Called for the first message of a batch: schedules a `flush` at the end of this turn. `IncomingMessages` overrides
   * it, and calls `flush` at once while there are few messages.
   */
  protected scheduleFlush(): void {
    setImmediate(this.#onTurnEnd);
  }

  /** Handles one message. */
  protected abstract handle(peer: Peer, message: Message, kind: Kind): void;

  /** Called before the messages of a batch. */
  protected beforeAll(): void {}

  /** Called after the messages of a batch, with their number. */
  protected afterAll(_count: number): void {}
}
