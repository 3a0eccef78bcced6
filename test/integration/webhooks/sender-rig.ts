import { onTestFinished } from 'vitest';
import type { EventType } from '#events/event-types.js';
import { createIds, type Ids } from '#kernel/ids/ids.js';
import type { Counters } from '#metrics/counters.js';
import { StoreMeter } from '#store/store-meter.js';
import type { Store } from '#store/store.js';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { DeliveryAttempter } from '#webhooks/deliveries/delivery-attempter.js';
import { createDeliveries, type Deliveries } from '#webhooks/deliveries/deliveries.js';
import type { AttemptRequest, AttemptResult } from '#webhooks/deliveries/http-attempt.js';
import { Sender } from '#webhooks/deliveries/sender.js';
import type { WebhookCreate } from '#webhooks/registrations/webhook-input.js';
import { webhookCreate } from '#webhooks/registrations/webhook-input.js';
import { createWebhooks, type Webhooks } from '#webhooks/registrations/webhooks.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { startTestStore } from '#test/support/store.js';
import { webhookTestTransactions } from './webhook-transactions.js';

const TIMEOUT_MS = 10_000;
export const WORKSPACE = 'default';

/** The sender over a real store, a clock that stands still, and receivers that do as the test says. */
export class SenderRig {
  readonly sent: (AttemptRequest & { at: number })[] = [];
  readonly clock = new FakeClock();
  readonly ids: Ids = createIds(this.clock);
  readonly store: Store;
  readonly sender: Sender;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  /** How long an attempt takes. */
  tookMs = 0;
  answer: (request: AttemptRequest) => Partial<AttemptResult> | Promise<Partial<AttemptResult>> = () => ({});

  /** What was counted. */
  readonly counters: Counters;

  private constructor(store: Store, counters: Counters) {
    this.store = store;
    this.counters = counters;
    const { clock, ids } = this;
    const attempter = new DeliveryAttempter({
      send: (request) => this.#send(request),
      clock,
      ids,
      onAttempt: () => {},
    });
    const { log } = createMemoryLog();
    this.sender = new Sender({ store, clock, log, attempter, timeoutMs: TIMEOUT_MS });
    const guard = createSsrfGuard({
      allowed: new AllowedAddresses([]),
      resolve: async () => ['198.51.101.7'],
    });
    this.webhooks = createWebhooks({
      store,
      clock,
      ids,
      guard,
      onChange: (id) => this.sender.releaseWaiting(id),
    });
    this.deliveries = createDeliveries({
      store,
      clock,
      ids,
      attempter,
      leaseUntil: (now) => this.sender.leaseUntil(now),
      wake: () => {},
    });
  }

  static async open(database: { databaseUrl?: string } = {}): Promise<SenderRig> {
    const meter = new StoreMeter();
    const store = await startTestStore({ meter, ...database });
    onTestFinished(() => store.close());
    return new SenderRig(store, meter.counters);
  }

  /** Registers a webhook; returns its id and its secret. */
  async register(input: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
    const asked: WebhookCreate = webhookCreate.parse({ url: 'https://example.com/', ...input });
    const { id, secret } = await this.webhooks.create(WORKSPACE, asked, () => null);
    return { id, secret: secret! };
  }

  /** Something happens, so many times; returns the ids of the events. */
  async happens(count = 1, type: EventType = 'call.completed'): Promise<string[]> {
    const at = this.clock.wallMs();
    const events = Array.from({ length: count }, () => {
      const id = this.ids.next('evt');
      return { id, workspace: WORKSPACE, type, subjectId: `call_${id}`, at, data: { id } };
    });
    await this.store.write(webhookTestTransactions.record, { events });
    return events.map(({ id }) => id);
  }

  /** Sends what is due now, all that there is room for; returns how much that was. */
  async step(): Promise<number> {
    const deliveries = await this.sender.claim(1_000);
    await Promise.all(deliveries.map((delivery) => this.sender.perform(delivery)));
    return deliveries.length;
  }

  /** Lets time pass until nothing waits any more, or until `untilMs` from now. */
  async run(untilMs = Number.POSITIVE_INFINITY, afterStep: () => Promise<unknown> = async () => {}) {
    const endAt = this.clock.wallMs() + untilMs;
    for (;;) {
      const dueAt = await this.sender.nextDueAt();
      if (dueAt === null || dueAt > endAt) return;
      if (dueAt > this.clock.wallMs()) this.clock.setWall(dueAt);
      await this.step();
      await afterStep();
    }
  }

  statuses(): Promise<Record<string, number>> {
    return this.store.read(webhookTestTransactions.statuses, {});
  }

  async #send(request: AttemptRequest): Promise<AttemptResult> {
    this.sent.push({ ...request, at: this.clock.wallMs() });
    const answer = await this.answer(request);
    await this.clock.advance(this.tookMs);
    return { outcome: 'success', statusCode: 200, responseBody: null, retryAfter: null, ...answer };
  }
}
