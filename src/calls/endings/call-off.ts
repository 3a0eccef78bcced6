import type { OnSuppressed } from '../../policy/suppressions.js';
import type { Store } from '../../store/store.js';
import type { CallEndings } from './call-endings.js';
import { callOffUnits } from './call-off-store.js';
import type { Moments } from './moments.js';

const CALLS_AT_ONCE = 100;

/**
 * Ends whatever waits to call numbers that must not be called any more. A phone that rings already goes on ringing; a
 * call that slips through is stopped by the policy right before it would be dialled.
 */
export class CallOff {
  readonly #parts: { store: Store; moments: Moments; endings: CallEndings };
  readonly #listeners: OnSuppressed[] = [];

  constructor(parts: { store: Store; moments: Moments; endings: CallEndings }) {
    this.#parts = parts;
  }

  /** Who has more to call off than calls. */
  onSuppressed(listener: OnSuppressed): void {
    this.#listeners.push(listener);
  }

  /** Resolves when nothing of it waits any more, here or with anybody who listens. */
  async suppressed(numbers: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    // What plans calls comes first, so that it makes no further ones.
    for (const listener of this.#listeners) await listener(numbers);
    const { store, moments, endings } = this.#parts;
    let after = '';
    while (numbers.phoneNumbers.length > 0) {
      const callIds = await store.read(callOffUnits.waiting, { ...numbers, after, limit: CALLS_AT_ONCE });
      for (const callId of callIds) {
        const details = moments.finish(callId, 'suppressed');
        endings.tell(await store.write(callOffUnits.end, { callId, details }));
      }
      after = callIds.at(-1) ?? '';
      if (callIds.length < CALLS_AT_ONCE) return;
    }
  }
}
