/** Enough for one batch; a larger one would delay timers and hide that a peer does not read. */
const MOST_GATHERED = 64;

/**
 * Gathers messages of all audio sockets during a turn of the event loop, then handles them in order. The arrays are
 * reused: new ones per turn would become garbage.
 */
export abstract class TurnBatch<Peer, Message, Kind> {
  readonly #peers: (Peer | null)[] = [];
  readonly #messages: (Message | null)[] = [];
  readonly #kinds: Kind[] = [];
  #count = 0;
  #isHandling = false;
  #isFlushAhead = false;
  readonly #endOfTurn = () => this.flush();

  /** Handles a message within this turn. It must not change any more. */
  add(peer: Peer, message: Message, kind: Kind): void {
    const at = this.#count++;
    this.#peers[at] = peer;
    this.#messages[at] = message;
    this.#kinds[at] = kind;
    if (at === MOST_GATHERED - 1) this.flush();
    else if (at === 0 && !this.#isFlushAhead) this.planFlush();
  }

  /** Announces a `flush` within this turn, so that none is scheduled. */
  expectFlush(): void {
    this.#isFlushAhead = true;
  }

  /** Handles pending messages at once: nothing can follow the close of a socket. */
  flush(): void {
    this.#isFlushAhead = false;
    if (this.#count === 0 || this.#isHandling) return;
    this.#isHandling = true;
    this.beforeAll();
    try {
      // Messages added meanwhile are handled too.
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

  /** Called for the first message: schedules a `flush` at the end of this turn, or calls it. */
  protected planFlush(): void {
    setImmediate(this.#endOfTurn);
  }

  protected abstract handle(peer: Peer, message: Message, kind: Kind): void;

  protected beforeAll(): void {}

  /** Called after all gathered messages, with their number. */
  protected afterAll(_count: number): void {}
}
