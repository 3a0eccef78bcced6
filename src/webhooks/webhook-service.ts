import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { createAddressGuard, type AddressGuard } from '#outbound-http/address-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { DeliveryAttempter, type DeliveryReport } from '#webhooks/deliveries/delivery-attempter.js';
import { deliveryUnits, type DeliveryBacklog } from '#webhooks/deliveries/delivery-store.js';
import { createDeliveries, type Deliveries } from '#webhooks/deliveries/deliveries.js';
import { openHttpPool, type HttpPool } from '#outbound-http/pool.js';
import { createPost } from '#webhooks/deliveries/post.js';
import { createAsk, LARGEST_ANSWER_BYTES, QUESTION_TIMEOUT_MS, type Ask } from './questions.js';
import { createResolver, type Resolve } from '#outbound-http/resolver.js';
import { Sender } from '#webhooks/deliveries/sender.js';
import { watchWrites } from './watched-store.js';
import { webhookUnits } from '#webhooks/registrations/webhook-store.js';
import { createWebhooks, type Webhooks } from '#webhooks/registrations/webhooks.js';

/** The settings that concern requests to receivers. */
export interface WebhookSettings {
  /** For one attempt: name, connection, headers and body together. */
  timeoutMs: number;
  /** Networks (CIDR) that receivers may be in though they are private. */
  allowedNetworks: readonly string[];
  /** Certificates (PEM) that receivers may have beside the usual ones. */
  trustedCertificates: readonly string[];
}

export interface WebhookServiceParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  settings: WebhookSettings;
  /** In place of the name servers of the machine. */
  resolve?: Resolve | undefined;
}

/** Many writes at once are one reason to look for deliveries. */
const GATHER_MS = 5;
/** Shorter than most receivers keep a connection: one that they close as we write would cost a retry. */
const IDLE_MS = 4_000;
/** The pool's own timers are imprecise: they only close what the deadline of a request gave up. */
const AFTERWARDS_MS = 1_000;

/** Everything about telling the customer: registrations, the log of deliveries, and the sender behind them. */
export class WebhookService {
  readonly guard: AddressGuard;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** Asks a receiver something that cannot wait. */
  readonly ask: Ask;
  readonly #parts: WebhookServiceParts;
  readonly #pools: HttpPool[] = [];
  readonly #sender: Sender;
  #onAttempt: ((report: DeliveryReport) => void) | null = null;
  #hasReceivers = false;
  #isGathering = false;

  constructor(parts: WebhookServiceParts) {
    const { store, clock, ids, log, settings } = parts;
    this.#parts = parts;
    this.guard = createAddressGuard({
      allowed: new AllowedAddresses(settings.allowedNetworks),
      resolve: parts.resolve ?? createResolver(),
    });
    const post = createPost(this.#openPool(settings.timeoutMs), { clock, timeoutMs: settings.timeoutMs });
    const question = { clock, timeoutMs: QUESTION_TIMEOUT_MS, keptBytes: LARGEST_ANSWER_BYTES };
    this.ask = createAsk({ post: createPost(this.#openPool(QUESTION_TIMEOUT_MS), question), clock });
    const attempter = new DeliveryAttempter({
      post,
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
        this.#sender.nudge();
      },
    });
    this.deliveries = createDeliveries({
      store,
      clock,
      ids,
      attempter,
      leaseUntil: (now) => this.#sender.leaseUntil(now),
      nudge: () => this.#sender.nudge(),
    });
  }

  /** Requests to receivers that are under way. */
  get inFlight(): number {
    return this.#sender.inFlight;
  }

  /** Who is told of each attempt that this process makes. Must return at once. */
  onAttempt(listener: (report: DeliveryReport) => void): void {
    this.#onAttempt = listener;
  }

  /** What waits to be sent. */
  backlog(): Promise<DeliveryBacklog> {
    return this.#parts.store.read(deliveryUnits.backlog, {});
  }

  /** The store for all other rooms: what they write may have to be told. */
  watch(store: Store): Store {
    return watchWrites(store, () => this.#lookSoon());
  }

  /** Begins to send. */
  async start(): Promise<void> {
    this.#hasReceivers = await this.#parts.store.read(webhookUnits.any, {});
    await this.#sender.start();
  }

  /** Sends nothing more; what is under way is finished or given back. Harmless twice. */
  async stop(): Promise<void> {
    await this.#sender.stop();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** Connections for requests that have so much time: a connection may take all of it. */
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
    // Receivers that another process or a schedule brought are known by what there is to send.
    if (this.#isGathering || !(this.#hasReceivers || this.#sender.hasFound)) return;
    this.#isGathering = true;
    this.#parts.clock.after(GATHER_MS, () => {
      this.#isGathering = false;
      this.#sender.nudge();
    });
  }
}
