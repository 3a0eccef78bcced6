import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import { Tasks } from '#kernel/work/tasks.js';
import type { Entry, TurnTiming } from '#conversation/talk/conversation.js';
import type { Store } from '#store/store.js';
import { talkUnits } from './talk-store.js';

interface TalkWriterParts {
  store: Store;
  clock: Clock;
  log: Log;
}

/** Keeps what a live talk tells of itself. The talk waits for none of it; the end of its call waits for all. */
export class TalkWriter {
  readonly #callId: string;
  readonly #parts: TalkWriterParts;
  readonly #writes = new Tasks();
  #entries = 0;

  constructor(callId: string, parts: TalkWriterParts) {
    this.#callId = callId;
    this.#parts = parts;
  }

  /** Keeps what was said, in the order in which this is called. */
  addEntry(entry: Entry): void {
    this.#entries += 1;
    const said = { callId: this.#callId, sequence: this.#entries, entry };
    this.keep(() => this.#parts.store.write(talkUnits.addEntry, said));
  }

  /** Keeps the timing of a response. */
  addTurn(timing: TurnTiming): void {
    this.keep(() => this.#parts.store.write(talkUnits.addTurn, { callId: this.#callId, timing }));
  }

  /** Lets a write run beside the talk, again and again while the database is away. @param failure what the log says */
  keep(write: () => Promise<void>, failure = 'part of a talk was not stored'): void {
    const { clock, log } = this.#parts;
    this.#writes.add(
      retryWhileUnavailable(clock, write).catch((error: unknown) =>
        log.error({ err: error, call_id: this.#callId }, failure),
      ),
    );
  }

  /** Resolves when everything so far is kept, or given up. */
  settle(): Promise<void> {
    return this.#writes.settled();
  }
}
