import type { ModuleContext } from '#store/module-context.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions } from '#store/transaction.js';
import { askAboutNext, type AcceptContext } from '#schedules/record/accept-schedule.js';
import { lockSchedule } from '#schedules/record/schedule-rows.js';
import { cancelSuppressed, isSuppressedForGood } from '#schedules/runs/settling/suppressed-schedule.js';

/** The transactions of {@link ScheduleCancellation}. */
const scheduleCancellationTransactions = defineTransactions('schedule_cancellations', {
  /** A page of the ids of schedules that may still call one of these numbers (at most a few hundred numbers). */
  async waiting(
    tx,
    args: { workspace: string; phoneNumbers: readonly string[]; after: string; limit: number },
  ): Promise<string[]> {
    const rows = await tx.all(
      `select id from schedules
       where workspace = ? and phone_number in (${placeholders(args.phoneNumbers)})
         and status in ('scheduled', 'paused', 'in_progress') and id > ?
       order by id limit ?`,
      args.workspace,
      ...args.phoneNumbers,
      args.after,
      args.limit,
    );
    return rows.map((row) => String(row['id']));
  },

  /**
   * Cancels a schedule if its number is suppressed for all its remaining calls. The policy's decision on its next call
   * is stored, so that the reason can be looked up. A live call goes on.
   */
  async cancel(tx, args: { scheduleId: string } & AcceptContext): Promise<void> {
    const schedule = await lockSchedule(tx, args.scheduleId);
    if (!schedule || !(await isSuppressedForGood(tx, schedule, args.at))) return;
    await askAboutNext(tx, schedule, args);
    await cancelSuppressed(tx, schedule, args.at);
  },
});

/** The most schedules that one read returns. */
const PAGE_SIZE = 100;

/** The dependencies of {@link ScheduleCancellation}. */
export interface CancellationContext extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Cancels the schedules of numbers that were added to the suppression list, as a listener of `SuppressionEnforcer`. A
 * run that is missed here is stopped by the policy right before dialling.
 */
export class ScheduleCancellation {
  readonly #parts: CancellationContext;

  constructor(parts: CancellationContext) {
    this.#parts = parts;
  }

  /**
   * Cancels the schedules of these numbers, except schedules whose suppression expires before a remaining call; see
   * `cancel` above.
   */
  async cancelAllOf(numbers: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    const { store } = this.#parts;
    let after = '';
    while (numbers.phoneNumbers.length > 0) {
      const page = { after, limit: PAGE_SIZE };
      const ids = await store.read(scheduleCancellationTransactions.waiting, { ...numbers, ...page });
      for (const scheduleId of ids) await this.#cancel(scheduleId);
      after = ids.at(-1) ?? '';
      if (ids.length < PAGE_SIZE) return;
    }
  }

  /** Cancels one schedule. A failure is logged and does not stop the rest. */
  async #cancel(scheduleId: string): Promise<void> {
    const { store, clock, log, rules } = this.#parts;
    try {
      await store.write(scheduleCancellationTransactions.cancel, { scheduleId, at: clock.wallMs(), rules });
    } catch (error) {
      // The policy still stops each call of this schedule; the others must not wait for it.
      log.error(
        { err: error, schedule_id: scheduleId },
        'a schedule of a suppressed number was not cancelled',
      );
    }
  }
}
