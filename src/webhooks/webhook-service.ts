import type { ModuleContext } from '#store/module-context.js';
import type { Store } from '#store/store.js';
import { createSsrfGuard, type SsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { DeliveryAttempter, type DeliveryReport } from '#webhooks/deliveries/delivery-attempter.js';
import { deliveryTransactions, type DeliveryBacklog } from '#webhooks/deliveries/delivery-store.js';
import { createDeliveries, type Deliveries } from '#webhooks/deliveries/deliveries.js';
import { openHttpPool, type HttpPool } from '#outbound-http/pool.js';
import { createAttemptSender } from '#webhooks/deliveries/http-attempt.js';
import { createLookUp, LARGEST_ANSWER_BYTES, LOOKUP_TIMEOUT_MS, type LookUp } from './synchronous-lookup.js';
import { createResolver, type Resolve } from '#outbound-http/resolver.js';
import { Sender } from '#webhooks/deliveries/sender.js';
import { webhookTransactions } from '#webhooks/registrations/webhook-store.js';
import { createWebhooks, type Webhooks } from '#webhooks/registrations/webhooks.js';

/** The settings of requests to receivers. */
export interface WebhookSettings {
  /** Timeout of an attempt to deliver: name resolution, connection, headers and body together. */
  timeoutMs: number;
  /** Private networks (CIDR) in which receivers are allowed. */
  allowedNetworks: readonly string[];
  /** Additional certificate authorities (PEM). */
  trustedCertificates: readonly string[];
}

/** The dependencies of {@link WebhookService}. */
export interface WebhookServiceParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  settings: WebhookSettings;
  /** Replaces name resolution by the name servers of the machine, in tests. */
  resolve?: Resolve | undefined;
}

/** The sender is woken this long after a write; further writes in this time wake it only once. */
const WAKE_DELAY_MS = 5;
/**
 * Shorter than most receivers keep idle connections: a connection that they close as a request begins costs a retry.
 */
const KEEP_ALIVE_MS = 4_000;
/** The pool's own timeouts are imprecise, so they are later than the deadline of a request by this much. */
const POOL_TIMEOUT_MARGIN_MS = 1_000;

/**
 * The webhook module: registered webhooks, the delivery log, the sender and synchronous lookups. The composition root
 * (`app/open-modules.ts`) creates it, and gives its parts to the routes and to the modules that send webhooks.
 */
export class WebhookService {
  /** Keeps requests to customers' URLs out of private networks; also used by other modules. */
  readonly guard: SsrfGuard;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** Sends a synchronous request to a receiver. */
  readonly lookUp: LookUp;
  readonly #parts: WebhookServiceParts;
  readonly #pools: HttpPool[] = [];
  readonly #sender: Sender;
  #onAttempt: ((report: DeliveryReport) => void) | null = null;
  /** True if there was a receiver at the start, or if this process has changed a webhook. */
  #hasReceivers = false;
  #isWakeScheduled = false;

  constructor(parts: WebhookServiceParts) {
    const { store, clock, ids, log, settings } = parts;
    this.#parts = parts;
    this.guard = createSsrfGuard({
      allowed: new AllowedAddresses(settings.allowedNetworks),
      resolve: parts.resolve ?? createResolver(),
    });
    const send = createAttemptSender(this.#openPool(settings.timeoutMs), {
      clock,
      timeoutMs: settings.timeoutMs,
    });
    const lookup = { clock, timeoutMs: LOOKUP_TIMEOUT_MS, keptBytes: LARGEST_ANSWER_BYTES };
    this.lookUp = createLookUp({
      send: createAttemptSender(this.#openPool(LOOKUP_TIMEOUT_MS), lookup),
      clock,
    });
    const attempter = new DeliveryAttempter({
      send,
      clock,
      ids,
      onAttempt: (report) => this.#onAttempt?.(report),
    });
    this.#sender = new Sender({ store, clock, log, attempter, timeoutMs: settings.timeoutMs });
    this.webhooks = createWebhooks({
      store,
      clock,
      ids,
      guard: this.guard,
      onChange: (webhookId) => {
        this.#hasReceivers = true;
        this.#sender.releaseWaiting(webhookId);
        this.#sender.wake();
      },
    });
    this.deliveries = createDeliveries({
      store,
      clock,
      ids,
      attempter,
      leaseUntil: (now) => this.#sender.leaseUntil(now),
      wake: () => this.#sender.wake(),
    });
  }

  /** Running requests of the sender; lookups and attempts by request of a client are not counted. */
  get inFlight(): number {
    return this.#sender.inFlight;
  }

  /** Sets the listener for the attempts of this process; it must not block. */
  onAttempt(listener: (report: DeliveryReport) => void): void {
    this.#onAttempt = listener;
  }

  /** Pending deliveries. */
  backlog(): Promise<DeliveryBacklog> {
    return this.#parts.store.read(deliveryTransactions.backlog, {});
  }

  /** The store for all other modules, whose writes may enqueue deliveries: wakes the sender after each write. */
  wakeOnWrites(store: Store): Store {
    return watchWrites(store, () => this.#wakeSenderSoon());
  }

  /** Starts the sender, once it is known whether there are receivers. */
  async start(): Promise<void> {
    this.#hasReceivers = await this.#parts.store.read(webhookTransactions.any, {});
    await this.#sender.start();
  }

  /** Stops the sender, whose running requests finish or are aborted, and closes all connections. Idempotent. */
  async stop(): Promise<void> {
    await this.#sender.stop();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** Opens a pool for requests with this timeout; to open a connection may take the whole timeout. */
  #openPool(timeoutMs: number): HttpPool {
    const { clock, settings } = this.#parts;
    const pool = openHttpPool({
      clock,
      guard: this.guard,
      httpsOnly: true,
      connectTimeoutMs: timeoutMs,
      keepAliveMs: KEEP_ALIVE_MS,
      silenceTimeoutMs: timeoutMs + POOL_TIMEOUT_MARGIN_MS,
      trustedCertificates: settings.trustedCertificates,
    });
    this.#pools.push(pool);
    return pool;
  }

  /** Wakes the sender after a write, which may have enqueued deliveries. */
  #wakeSenderSoon(): void {
    // Without receivers the sender is not woken. Receivers that schedules or other processes have added since the start
    // are known once the sender, which also looks by itself at intervals, has found a delivery.
    if (this.#isWakeScheduled || !(this.#hasReceivers || this.#sender.hasFound)) return;
    this.#isWakeScheduled = true;
    this.#parts.clock.after(WAKE_DELAY_MS, () => {
      this.#isWakeScheduled = false;
      this.#sender.wake();
    });
  }
}

/** A store that calls `onWritten` after each write. */
function watchWrites(store: Store, onWritten: () => void): Store {
  return {
    async write(transaction, args) {
      const result = await store.write(transaction, args);
      onWritten();
      return result;
    },
    read: (transaction, args) => store.read(transaction, args),
    listen: (topic, onNotice) => store.listen(topic, onNotice),
    backup: (path) => store.backup(path),
    close: () => store.close(),
  };
}
