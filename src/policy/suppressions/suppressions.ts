import type { IdempotentAnswer } from '#idempotency/idempotency-store.js';
import type { Clock } from '#kernel/time/clock.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import {
  suppressionUnits,
  type NewSuppression,
  type SuppressionFilter,
  type SuppressionKey,
} from './suppression-store.js';
import { toSuppressionResource, type SuppressionReason, type SuppressionResource } from './suppression.js';

/** Numbers that have just come onto the list: whatever still waits to call them is to be called off. */
export type OnSuppressed = (numbers: { workspace: string; phoneNumbers: readonly string[] }) => Promise<void>;

/** A number that a client wants on the list. Instants are epoch milliseconds. */
export interface SuppressionInput {
  phoneNumber: string;
  reason: SuppressionReason;
  note: string | null;
  expiresAt: number | null;
}

export interface SuppressionsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Calls off what waits; a failure does no harm, since nothing is dialled without asking once more. */
  onSuppressed: OnSuppressed;
}

/** What is wrong with an end that has passed. */
export const PAST = 'must be in the future';

/** What can be done with the suppression list of a workspace. */
export class Suppressions {
  readonly #parts: SuppressionsParts;

  constructor(parts: SuppressionsParts) {
    this.#parts = parts;
  }

  /**
   * Puts a number on the list. One that is there already keeps its entry; only its end may move, and only further away.
   * @param kept how the request will be answered, kept for its repetition where it asked for that
   * @throws Problem as {@link requireUnexpired}
   */
  async add(
    workspace: string,
    input: SuppressionInput,
    kept: IdempotentAnswer | null,
  ): Promise<{ suppression: SuppressionResource; isNew: boolean }> {
    this.requireUnexpired(input.expiresAt);
    const entry = this.#entryOf(workspace, input, 'api');
    const row = await this.#parts.store.write(suppressionUnits.add, { entry, kept });
    await this.#callOff(workspace, [entry.phoneNumber]);
    return { suppression: toSuppressionResource(row), isNew: row.id === entry.id };
  }

  /** An entry whose end has passed keeps nobody from being called. @throws Problem `validation_error` */
  requireUnexpired(expiresAt: number | null): void {
    if (this.hasExpired(expiresAt))
      throw fieldProblem('validation_error', 'expires_at', PAST, 'invalid_value');
  }

  hasExpired(expiresAt: number | null): boolean {
    return expiresAt !== null && expiresAt <= this.#parts.clock.wallMs();
  }

  /** Puts a slice of a list on the list; none of them has expired. Returns how many numbers were not there yet. */
  async addSlice(workspace: string, inputs: readonly SuppressionInput[]): Promise<number> {
    const entries = inputs.map((input) => this.#entryOf(workspace, input, 'import'));
    const added = await this.#parts.store.write(suppressionUnits.addSlice, { entries });
    const phoneNumbers = entries.map((entry) => entry.phoneNumber);
    await this.#callOff(workspace, phoneNumbers);
    return added;
  }

  /** @throws Problem `suppression_not_found` */
  async get(key: SuppressionKey): Promise<SuppressionResource> {
    const { store, clock } = this.#parts;
    return toSuppressionResource(await store.read(suppressionUnits.get, { ...key, now: clock.wallMs() }));
  }

  async list(
    filter: SuppressionFilter,
    cursor: Cursor | null,
    limit: number,
  ): Promise<Page<SuppressionResource>> {
    const { store, clock } = this.#parts;
    const page = await store.read(suppressionUnits.list, { filter, now: clock.wallMs(), cursor, limit });
    return { items: page.items.map(toSuppressionResource), next: page.next };
  }

  /** Takes a number off the list. @throws Problem `suppression_not_found` */
  async remove(key: SuppressionKey): Promise<SuppressionResource> {
    const { store, clock } = this.#parts;
    return toSuppressionResource(await store.write(suppressionUnits.remove, { ...key, now: clock.wallMs() }));
  }

  /** The entries of those among some numbers that are on the list, by number. */
  async check(
    workspace: string,
    phoneNumbers: readonly string[],
  ): Promise<ReadonlyMap<string, SuppressionResource>> {
    const { store, clock } = this.#parts;
    const asked = { workspace, phoneNumbers: [...new Set(phoneNumbers)], now: clock.wallMs() };
    const rows = await store.read(suppressionUnits.check, asked);
    return new Map(rows.map((row) => [row.phone_number, toSuppressionResource(row)]));
  }

  #entryOf(workspace: string, input: SuppressionInput, source: NewSuppression['source']): NewSuppression {
    const { ids, clock } = this.#parts;
    return { ...input, id: ids.next('sup'), workspace, source, callId: null, at: clock.wallMs() };
  }

  async #callOff(workspace: string, phoneNumbers: readonly string[]): Promise<void> {
    try {
      await this.#parts.onSuppressed({ workspace, phoneNumbers });
    } catch (error) {
      this.#parts.log.error({ err: error }, 'calls to suppressed numbers were not called off');
    }
  }
}
