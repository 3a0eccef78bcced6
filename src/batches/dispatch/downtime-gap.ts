import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { defineTransactions } from '#store/transaction.js';
import { BATCHES_STOPPED } from '#batches/record/batch-statistics.js';
import { holdBatches } from './hold-batches.js';

/** A downtime longer than this pauses batches that had begun, or that were to begin longer ago than this. */
export const MAX_DOWNTIME_MS = 3_600_000;

/** The name of the row in `housekeeping` with the last instant at which the service was up. */
const ROW_NAME = 'batches';

/**
 * SQL condition: a waiting number of the batch was due before an instant, its parameter, at a time of its own.
 */
const HAS_OVERDUE_NUMBER = `exists (select 1 from batch_recipients where batch_id = batches.id
  and status in ('pending', 'retry_wait') and due_at > 0 and due_at < ?)`;

/**
 * SQL condition: a batch had begun or should have begun, and has no calling hours of its own that would prevent calls
 * at night. Its two parameters are the same instant, before which the batch should have begun.
 */
const OVERDUE = `call_window is null
  and (status in ('initiated', 'in_progress')
    or (status = 'scheduled' and (scheduled_at < ? or ${HAS_OVERDUE_NUMBER})))`;

/** The transaction of {@link DowntimeGap}. */
const downtimeTransactions = defineTransactions('absences', {
  /**
   * Stores the instant until which the service was up. After a long downtime, overdue batches are paused: calls meant
   * for nine in the morning are not made at night. Returns how many batches were paused.
   */
  async recordUptime(tx, { at, mayPause }: { at: number; mayPause: boolean }): Promise<number> {
    const row = await tx.get('select reached_at from housekeeping where name = ?', ROW_NAME);
    await tx.run(
      `insert into housekeeping (name, reached_at) values (?, ?)
       on conflict (name) do update set reached_at = excluded.reached_at`,
      ROW_NAME,
      at,
    );
    const lastUpAt = Number(row?.['reached_at'] ?? at);
    if (!mayPause || at - lastUpAt <= MAX_DOWNTIME_MS) return 0;
    const dueBefore = at - MAX_DOWNTIME_MS;
    const values = [dueBefore, dueBefore];
    const reason = 'the service was not running when it was due';
    const paused = await holdBatches(tx, { at, reason, which: OVERDUE, values });
    for (let i = 0; i < paused; i += 1) tx.count({ name: BATCHES_STOPPED, labels: { status: 'paused' } });
    return paused;
  },
});

/** How often the instant until which the service was up is stored. */
const CHECK_EVERY_MS = 60_000;

/** The dependencies of {@link DowntimeGap}. */
export interface DowntimeContext {
  store: Store;
  clock: Clock;
  log: Log;
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Measures downtime gaps (a stop, a crash, a suspended machine) and keeps batches from calling people hours late. A
 * clock set ahead looks the same as a suspended machine. Enforced calling hours of the service already keep calls out
 * of the night: then no batch is paused.
 */
export class DowntimeGap {
  readonly #parts: DowntimeContext;
  readonly #task: PeriodicTask;
  /** Wall-clock instant of the last check; null before the first. */
  #checkedAt: number | null = null;

  constructor(parts: DowntimeContext) {
    this.#parts = parts;
    const run = () =>
      this.check().catch((error: unknown) =>
        parts.log.warn({ err: error }, 'the downtime watch could not be stored'),
      );
    this.#task = new PeriodicTask(parts.clock, { everyMs: CHECK_EVERY_MS, run });
  }

  /**
   * Measures the gap since the service was last known to be up, and pauses overdue batches after a long gap. Runs at
   * the start before anything is dialled, and every minute.
   */
  async check(): Promise<void> {
    const { store, clock, log, rules } = this.#parts;
    const mayPause = rules.mode !== 'enforce' || rules.window === null;
    const at = clock.wallMs();
    const count = await store.write(downtimeTransactions.recordUptime, { at, mayPause });
    this.#checkedAt = at;
    if (count > 0) log.warn({ count }, 'batches that were due during a downtime were paused');
  }

  /**
   * Repeats the check if the last check is long ago: after a suspend, the service would dial before the next periodic
   * check. Runs before each claim of the dialler and of the batch dispatcher.
   */
  async checkIfStale(): Promise<void> {
    const sinceMs = this.#parts.clock.wallMs() - (this.#checkedAt ?? 0);
    if (sinceMs > MAX_DOWNTIME_MS) await this.check();
  }

  start(): void {
    this.#task.start();
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }
}
