/** So many are enough to be handled in one go; more would keep timers waiting, and hide that a peer does not read. */
const MOST_GATHERED = 64;

/**
 * Messages of all audio sockets, gathered for one turn of the event loop and then handled in one go, in order. What is
 * gathered is kept in arrays that are only overwritten: arrays of its own for every turn would be garbage after it.
 */
export abstract class TurnBatch<Peer, Message, Kind> {
  readonly #peers: (Peer | null)[] = [];
  readonly #messages: (Message | null)[] = [];
  readonly #kinds: Kind[] = [];
  #count = 0;
  #isHandling = false;
  #isFlushAhead = false;
  readonly #endOfTurn = () => this.flush();

  /** Has a message handled within this turn. It must not change any more. */
  add(peer: Peer, message: Message, kind: Kind): void {
    const at = this.#count++;
    this.#peers[at] = peer;
    this.#messages[at] = message;
    this.#kinds[at] = kind;
    if (at === MOST_GATHERED - 1) this.flush();
    else if (at === 0 && !this.#isFlushAhead) this.planFlush();
  }

  /** Says that `flush` will be called within this turn, so that its end need not be waited for. */
  expectFlush(): void {
    this.#isFlushAhead = true;
  }

  /** Handles at once what waits: nothing can follow the close of a socket. */
  flush(): void {
    this.#isFlushAhead = false;
    if (this.#count === 0 || this.#isHandling) return;
    this.#isHandling = true;
    this.beforeAll();
    try {
      // What is added meanwhile is handled, too.
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

  /** A first message waits: has `flush` called at the end of this turn, or calls it. */
  protected planFlush(): void {
    setImmediate(this.#endOfTurn);
  }

  protected abstract handle(peer: Peer, message: Message, kind: Kind): void;

  protected beforeAll(): void {}

  /** All messages that had been gathered are handled, so many. */
  protected afterAll(_count: number): void {}
}
