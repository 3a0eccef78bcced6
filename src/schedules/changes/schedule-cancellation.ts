import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { scheduleCancellationUnits } from './schedule-cancellation-store.js';

const SCHEDULES_AT_ONCE = 100;

export interface ScheduleCancellationParts {
  store: Store;
  clock: Clock;
  log: Log;
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Cancels schedules of numbers that were added to the suppression list. A run that is missed here is stopped by the
 * policy right before dialling.
 */
export class ScheduleCancellation {
  readonly #parts: ScheduleCancellationParts;

  constructor(parts: ScheduleCancellationParts) {
    this.#parts = parts;
  }

  /** Resolves when all schedules of these numbers are cancelled, except failures, which are logged. */
  async suppressed(numbers: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    const { store } = this.#parts;
    let after = '';
    while (numbers.phoneNumbers.length > 0) {
      const page = { after, limit: SCHEDULES_AT_ONCE };
      const ids = await store.read(scheduleCancellationUnits.waiting, { ...numbers, ...page });
      for (const scheduleId of ids) await this.#cancel(scheduleId);
      after = ids.at(-1) ?? '';
      if (ids.length < SCHEDULES_AT_ONCE) return;
    }
  }

  async #cancel(scheduleId: string): Promise<void> {
    const { store, clock, log, rules } = this.#parts;
    try {
      await store.write(scheduleCancellationUnits.cancel, { scheduleId, at: clock.wallMs(), rules });
    } catch (error) {
      // The policy still stops each call of this schedule; the others must not wait for it.
      log.error(
        { err: error, schedule_id: scheduleId },
        'a schedule of a suppressed number was not cancelled',
      );
    }
  }
}
