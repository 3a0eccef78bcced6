import type { Clock } from '../kernel/clock.js';
import type { PolicyRules } from '../policy/policy-rules.js';
import type { Store } from '../store/store.js';
import { scheduleOffUnits } from './schedule-off-store.js';

const SCHEDULES_AT_ONCE = 100;

/**
 * Cancels whatever is planned for numbers that must not be called any more. A run that slips through is stopped by the
 * policy right before it would be dialled.
 */
export class ScheduleOff {
  readonly #parts: { store: Store; clock: Clock; rules: PolicyRules };

  constructor(parts: { store: Store; clock: Clock; rules: PolicyRules }) {
    this.#parts = parts;
  }

  async suppressed(numbers: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    const { store, clock, rules } = this.#parts;
    let after = '';
    while (numbers.phoneNumbers.length > 0) {
      const page = { after, limit: SCHEDULES_AT_ONCE };
      const ids = await store.read(scheduleOffUnits.waiting, { ...numbers, ...page });
      for (const scheduleId of ids)
        await store.write(scheduleOffUnits.cancel, { scheduleId, at: clock.wallMs(), rules });
      after = ids.at(-1) ?? '';
      if (ids.length < SCHEDULES_AT_ONCE) return;
    }
  }
}
