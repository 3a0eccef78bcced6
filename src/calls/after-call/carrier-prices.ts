import type { ModuleContext } from '#store/module-context.js';
import type { Work } from '#kernel/work/loop.js';
import { claimOf, PRICE_KINDS, type Job } from '#calls/jobs/job.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CarrierPriceAnswer } from '#telephony/port/carrier.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import { costTransactions, type UnpricedLeg } from '#calls/costs/cost-store.js';
import { jobTransactions } from './job-store.js';

/** The timeout of a request for a price. */
const REQUEST_TIMEOUT_MS = 10_000;
/** The lease on a price job. It is longer than the timeout of a request. */
const LEASE_MS = 120_000;
/**
 * The first and the longest delay between requests for a price that the carrier does not know yet; doubled each time.
 */
const MIN_DELAY_MS = 60_000;
const MAX_DELAY_MS = 3_600_000;
/** When this time has passed since the end of a call, its price is no longer requested. */
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/** What a carrier charges for a call, in US dollars. */
export interface CallPrice {
  callId: string;
  usd: number;
}

/** The dependencies of {@link CarrierPrices}. */
interface CarrierPriceParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  carriers: Pick<CarrierPool, 'find'>;
  /** The id of the recordings folder of this process. */
  folderId: string;
  /** Stores the price of a call, and corrects its cost. */
  keep(price: CallPrice): Promise<void>;
}

/**
 * Requests the prices of calls from carriers that do not report them by themselves. Performs the durable `price` jobs,
 * for a loop of `CallEngine`.
 */
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

  /** Requests the price of a call and stores it. If the price is not known yet, the job is retried later. */
  async perform(job: Job): Promise<void> {
    const { store, keep } = this.#parts;
    const leg = await store.read(costTransactions.unpriced, { callId: job.call_id });
    const price = leg === null ? 'never' : await this.#requestPrice(job, leg);
    if (price === 'later') return this.#retryLater(job, leg!);
    if (price !== 'never') await keep({ callId: job.call_id, usd: price });
    await store.write(jobTransactions.done, claimOf(job));
  }

  /** The price in US dollars; `later` if the carrier does not know it yet or fails, `never` if it will not know it. */
  async #requestPrice(job: Job, { carrier, providerCallId }: UnpricedLeg): Promise<CarrierPriceAnswer> {
    const { carriers, clock, log } = this.#parts;
    const asked = carriers.find(carrier);
    const priceOf = asked?.priceOf?.bind(asked);
    if (!priceOf) return 'never';
    try {
      return await answerWithin(clock, REQUEST_TIMEOUT_MS, () => priceOf(providerCallId));
    } catch (error) {
      log.warn({ err: error, call_id: job.call_id, carrier }, 'the price of a call is not known yet');
      return 'later';
    }
  }

  /** Plans the next request, or gives the price up a day after the end of the call. */
  async #retryLater(job: Job, { endedAt }: UnpricedLeg): Promise<void> {
    const { store, clock, log } = this.#parts;
    const at = clock.wallMs();
    const dueAt = at + Math.min(MIN_DELAY_MS * 2 ** (job.attempts - 1), MAX_DELAY_MS);
    const isGivenUp = endedAt !== null && dueAt > endedAt + GIVEN_UP_AFTER_MS;
    if (isGivenUp) log.warn({ call_id: job.call_id }, 'the carrier has not said what a call cost');
    await store.write(jobTransactions.failed, {
      ...claimOf(job),
      dueAt: isGivenUp ? null : dueAt,
      error: 'no_price',
      at,
    });
  }
}
