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

/** Settings of requests to receivers. */
export interface WebhookSettings {
  /** Of one attempt: name resolution, connection, headers and body together. */
  timeoutMs: number;
  /** Private networks (CIDR) in which receivers are allowed. */
  allowedNetworks: readonly string[];
  /** Additional certificate authorities (PEM). */
  trustedCertificates: readonly string[];
}

export interface WebhookServiceParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids' | 'log'> {
  settings: WebhookSettings;
  /** Replaces the name servers of the machine. */
  resolve?: Resolve | undefined;
}

/** Writes within this time wake the sender once. */
const GATHER_MS = 5;
/** Shorter than most receivers keep idle connections: one that closes as a request begins would cost a retry. */
const IDLE_MS = 4_000;
/** The pool's timeouts are imprecise: they follow after the deadline of the request. */
const AFTERWARDS_MS = 1_000;

/** Composes webhooks: registrations, delivery log, sender, synchronous lookups. */
export class WebhookService {
  readonly guard: SsrfGuard;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** Sends a synchronous request to a receiver. */
  readonly lookUp: LookUp;
  readonly #parts: WebhookServiceParts;
  readonly #pools: HttpPool[] = [];
  readonly #sender: Sender;
  #onAttempt: ((report: DeliveryReport) => void) | null = null;
  #hasReceivers = false;
  #isGathering = false;

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
        this.#sender.recall(webhookId);
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

  /** Running requests to receivers. */
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
  watch(store: Store): Store {
    return watchWrites(store, () => this.#lookSoon());
  }

  /** Starts the sender. */
  async start(): Promise<void> {
    this.#hasReceivers = await this.#parts.store.read(webhookTransactions.any, {});
    await this.#sender.start();
  }

  /** Stops the sender; running requests finish or are released. Idempotent. */
  async stop(): Promise<void> {
    await this.#sender.stop();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** A pool for requests with a timeout, all of which the connection may take. */
  #openPool(timeoutMs: number): HttpPool {
    const { clock, settings } = this.#parts;
    const pool = openHttpPool({
      clock,
      guard: this.guard,
      httpsOnly: true,
      connectTimeoutMs: timeoutMs,
      keepAliveMs: IDLE_MS,
      silenceTimeoutMs: timeoutMs + AFTERWARDS_MS,
      trustedCertificates: settings.trustedCertificates,
    });
    this.#pools.push(pool);
    return pool;
  }

  #lookSoon(): void {
    // Without receivers the sender is not woken. Receivers of other processes and of schedules are known once a
    // delivery was found.
    if (this.#isGathering || !(this.#hasReceivers || this.#sender.hasFound)) return;
    this.#isGathering = true;
    this.#parts.clock.after(GATHER_MS, () => {
      this.#isGathering = false;
      this.#sender.wake();
    });
  }
}

/** A store that calls `onWritten` after each write. */
function watchWrites(store: Store, onWritten: () => void): Store {
  return {
    async write(unit, args) {
      const result = await store.write(unit, args);
      onWritten();
      return result;
    },
    read: (unit, args) => store.read(unit, args),
    listen: (topic, onNotice) => store.listen(topic, onNotice),
    backup: (path) => store.backup(path),
    close: () => store.close(),
  };
}
