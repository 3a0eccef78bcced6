import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { absenceUnits, LONGEST_ABSENCE_MS } from './absence-store.js';

const NOTED_EVERY_MS = 60_000;

export interface AbsenceParts {
  store: Store;
  clock: Clock;
  log: Log;
  /** What the calling policy goes by. */
  rules: PolicyRules;
}

/**
 * Knows how long the service was away, whether it was stopped, has crashed, or its machine has slept, and does not let
 * batches call people hours late. A clock that is set ahead looks the same as sleep. Where calling hours for everybody
 * are obeyed, they see to that.
 */
export class Absence {
  readonly #parts: AbsenceParts;
  readonly #rounds: PeriodicTask;
  /** When it looked last, by the wall clock; null before it did. */
  #lookedAt: number | null = null;

  constructor(parts: AbsenceParts) {
    this.#parts = parts;
    const run = () =>
      this.look().catch((error: unknown) =>
        parts.log.warn({ err: error }, 'it was not noted that batches are watched'),
      );
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: NOTED_EVERY_MS, run });
  }

  /** Looks how long it was, and notes that it is over. To be done before anything is dialled. */
  async look(): Promise<void> {
    const { store, clock, log, rules } = this.#parts;
    const mayPause = rules.mode !== 'enforce' || rules.window === null;
    const at = clock.wallMs();
    const count = await store.write(absenceUnits.note, { at, mayPause });
    this.#lookedAt = at;
    if (count > 0) log.warn({ count }, 'batches that were due while the service was away were paused');
  }

  /**
   * Looks at once where it is long since it looked: after its machine has slept, the service would dial before the next
   * round. To be done before whatever leads to a call.
   */
  async lookIfAway(): Promise<void> {
    const sinceMs = this.#parts.clock.wallMs() - (this.#lookedAt ?? 0);
    if (sinceMs > LONGEST_ABSENCE_MS) await this.look();
  }

  start(): void {
    this.#rounds.start();
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }
}
