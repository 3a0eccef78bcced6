import type { ModuleContext } from '#store/module-context.js';
import type { Work } from '#kernel/work/loop.js';
import { claimOf, PRICE_KINDS, type Job } from '#calls/jobs/job.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CarrierPriceAnswer } from '#telephony/port/carrier.js';
import { costTransactions, type UnpricedLine } from '#calls/costs/cost-store.js';
import { jobTransactions } from './job-store.js';

/** Longer than the answer of a carrier is waited for. */
const LEASE_MS = 120_000;
/** After an answer of "later": a minute, then twice as long each time, up to an hour. */
const SHORTEST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
/** A price that is not known so long after the end of the call is not asked for any more. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/** What a carrier charges for a call, in US dollars. */
export interface CallPrice {
  callId: string;
  usd: number;
}

interface CarrierPriceParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: Pick<CarrierPool, 'find'>;
  folderId: string;
  keep(price: CallPrice): Promise<void>;
}

/** Asks carriers what calls have cost that do not say so by themselves, as durable work. */
export class CarrierPrices implements Work<Job> {
  readonly name = 'carrier-prices';
  readonly concurrency = 2;
  readonly #parts: CarrierPriceParts;

  constructor(parts: CarrierPriceParts) {
    this.#parts = parts;
  }

  claim(limit: number): Promise<Job[]> {
    const { store, clock, folderId } = this.#parts;
    const now = clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    return store.write(jobTransactions.claim, { kinds: PRICE_KINDS, folderId, now, leaseUntil, limit });
  }

  nextDueAt(): Promise<number | null> {
    const { store, folderId } = this.#parts;
    return store.read(jobTransactions.nextDueAt, { kinds: PRICE_KINDS, folderId });
  }

  async perform(job: Job): Promise<void> {
    const { store, keep } = this.#parts;
    const line = await store.read(costTransactions.unpriced, { callId: job.call_id });
    const price = line === null ? 'never' : await this.#ask(job, line);
    if (price === 'later') return this.#postpone(job, line!);
    if (price !== 'never') await keep({ callId: job.call_id, usd: price });
    await store.write(jobTransactions.done, claimOf(job));
  }

  async #ask(job: Job, { carrier, providerCallId }: UnpricedLine): Promise<CarrierPriceAnswer> {
    try {
      return (await this.#parts.carriers.find(carrier)?.priceOf?.(providerCallId)) ?? 'never';
    } catch (error) {
      this.#parts.log.warn(
        { err: error, call_id: job.call_id, carrier },
        'the price of a call is not known yet',
      );
      return 'later';
    }
  }

  async #postpone(job: Job, { endedAt }: UnpricedLine): Promise<void> {
    const { store, clock, log } = this.#parts;
    const at = clock.wallMs();
    const dueAt = at + Math.min(SHORTEST_WAIT_MS * 2 ** (job.attempts - 1), LONGEST_WAIT_MS);
    const isOver = endedAt !== null && dueAt > endedAt + GIVEN_UP_AFTER_MS;
    if (isOver) log.warn({ call_id: job.call_id }, 'the carrier has not said what a call cost');
    await store.write(jobTransactions.failed, {
      ...claimOf(job),
      dueAt: isOver ? null : dueAt,
      error: 'no_price',
      at,
    });
  }
}
