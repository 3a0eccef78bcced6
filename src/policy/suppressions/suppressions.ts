import type { ModuleContext } from '#store/module-context.js';
import type { IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import type { Cursor, Page } from '#store/page.js';
import {
  suppressionTransactions,
  type NewSuppression,
  type SuppressionFilter,
  type SuppressionKey,
} from './suppression-store.js';
import { toSuppressionResource, type SuppressionReason, type SuppressionResource } from './suppression.js';

/** Called with numbers that were just suppressed, to cancel the calls that wait to dial them. */
export type OnSuppressed = (numbers: { workspace: string; phoneNumbers: readonly string[] }) => Promise<void>;

/** A number to suppress. Instants are epoch milliseconds. */
export interface SuppressionInput {
  phoneNumber: string;
  reason: SuppressionReason;
  note: string | null;
  expiresAt: number | null;
}

/** The dependencies of {@link Suppressions}. */
export interface SuppressionsParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  /** Cancels the waiting calls. Its failure is only logged: each call is checked again before it is dialled. */
  onSuppressed: OnSuppressed;
}

/** The error for an expiry in the past. */
export const NOT_IN_FUTURE = 'must be in the future';

/**
 * Manages the suppression list of each workspace (the numbers that no call dials), for the routes of suppressions.
 * Adding a number also cancels the calls that wait to dial it.
 */
export class Suppressions {
  readonly #parts: SuppressionsParts;

  constructor(parts: SuppressionsParts) {
    this.#parts = parts;
  }

  /**
   * Adds a number. A valid entry of the number stays; only its expiry may change, to a later one or none.
   * @param kept the response to store for an idempotent request, or null
   * @throws Problem as {@link requireUnexpired}
   */
  async add(
    workspace: string,
    input: SuppressionInput,
    kept: IdempotentAnswer | null,
  ): Promise<{ suppression: SuppressionResource; isNew: boolean }> {
    this.requireUnexpired(input.expiresAt);
    const entry = this.#entryOf(workspace, input, 'api');
    const row = await this.#parts.store.write(suppressionTransactions.add, { entry, kept });
    await this.#cancelWaiting(workspace, [entry.phoneNumber]);
    return { suppression: toSuppressionResource(row), isNew: row.id === entry.id };
  }

  /** Refuses an expiry in the past, which would have no effect. @throws Problem `validation_error` */
  requireUnexpired(expiresAt: number | null): void {
    if (this.hasExpired(expiresAt))
      throw fieldProblem('validation_error', 'expires_at', NOT_IN_FUTURE, 'invalid_value');
  }

  /** True for an expiry in the past (epoch milliseconds); null never expires. */
  hasExpired(expiresAt: number | null): boolean {
    return expiresAt !== null && expiresAt <= this.#parts.clock.wallMs();
  }

  /** Adds a slice of an import, from which expired entries were left out. Returns how many numbers are new. */
  async addSlice(workspace: string, inputs: readonly SuppressionInput[]): Promise<number> {
    const entries = inputs.map((input) => this.#entryOf(workspace, input, 'import'));
    const added = await this.#parts.store.write(suppressionTransactions.addSlice, { entries });
    const phoneNumbers = entries.map((entry) => entry.phoneNumber);
    await this.#cancelWaiting(workspace, phoneNumbers);
    return added;
  }

  /** A valid entry. @throws Problem `suppression_not_found` */
  async get(key: SuppressionKey): Promise<SuppressionResource> {
    const { store, clock } = this.#parts;
    return toSuppressionResource(
      await store.read(suppressionTransactions.get, { ...key, now: clock.wallMs() }),
    );
  }

  /** A page of the valid entries, newest first. */
  async list(
    filter: SuppressionFilter,
    cursor: Cursor | null,
    limit: number,
  ): Promise<Page<SuppressionResource>> {
    const { store, clock } = this.#parts;
    const page = await store.read(suppressionTransactions.list, {
      filter,
      now: clock.wallMs(),
      cursor,
      limit,
    });
    return { items: page.items.map(toSuppressionResource), next: page.next };
  }

  /** Removes an entry and returns it. @throws Problem `suppression_not_found` */
  async remove(key: SuppressionKey): Promise<SuppressionResource> {
    const { store, clock } = this.#parts;
    return toSuppressionResource(
      await store.write(suppressionTransactions.remove, { ...key, now: clock.wallMs() }),
    );
  }

  /** The valid entries of the suppressed numbers among `phoneNumbers`, by number. */
  async check(
    workspace: string,
    phoneNumbers: readonly string[],
  ): Promise<ReadonlyMap<string, SuppressionResource>> {
    const { store, clock } = this.#parts;
    const query = { workspace, phoneNumbers: [...new Set(phoneNumbers)], now: clock.wallMs() };
    const rows = await store.read(suppressionTransactions.check, query);
    return new Map(rows.map((row) => [row.phone_number, toSuppressionResource(row)]));
  }

  #entryOf(workspace: string, input: SuppressionInput, source: NewSuppression['source']): NewSuppression {
    const { ids, clock } = this.#parts;
    return { ...input, id: ids.next('sup'), workspace, source, callId: null, at: clock.wallMs() };
  }

  /** Cancels the calls that wait to dial the numbers. */
  async #cancelWaiting(workspace: string, phoneNumbers: readonly string[]): Promise<void> {
    try {
      await this.#parts.onSuppressed({ workspace, phoneNumbers });
    } catch (error) {
      this.#parts.log.error({ err: error }, 'waiting calls to suppressed numbers were not cancelled');
    }
  }
}
