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
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Measures downtime gaps (a stop, a crash, a suspended machine) and keeps batches from calling people hours late. A
 * clock set ahead looks the same as a suspended machine. Enforced calling hours make the check unnecessary.
 */
export class Absence {
  readonly #parts: AbsenceParts;
  readonly #rounds: PeriodicTask;
  /** Wall-clock instant of the last check; null before the first. */
  #lookedAt: number | null = null;

  constructor(parts: AbsenceParts) {
    this.#parts = parts;
    const run = () =>
      this.look().catch((error: unknown) =>
        parts.log.warn({ err: error }, 'it was not noted that batches are watched'),
      );
    this.#rounds = new PeriodicTask(parts.clock, { everyMs: NOTED_EVERY_MS, run });
  }

  /** Measures the gap and records its end. Runs before anything is dialled. */
  async look(): Promise<void> {
    const { store, clock, log, rules } = this.#parts;
    const mayPause = rules.mode !== 'enforce' || rules.window === null;
    const at = clock.wallMs();
    const count = await store.write(absenceUnits.note, { at, mayPause });
    this.#lookedAt = at;
    if (count > 0) log.warn({ count }, 'batches that were due while the service was away were paused');
  }

  /**
   * Checks if the last check is long ago: after a suspend, the service would dial before the next periodic check. Runs
   * before every step that leads to a call.
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
