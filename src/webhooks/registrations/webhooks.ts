import type { KeepAnswer } from '#idempotency/idempotency-store.js';
import { newWebhookSecret } from './notification-target.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Cursor, Page } from '#store/page.js';
import type { Store } from '#store/store.js';
import type { SsrfGuard } from '#outbound-http/ssrf-guard.js';
import { checkReceiverUrl } from './receiver-url.js';
import { newWebhook, rotatedWebhook } from './webhook-changes.js';
import type { WebhookCreate, WebhookUpdate } from './webhook-input.js';
import { toWebhookResource, type WebhookResource } from './webhook-resource.js';
import { webhookTransactions, type WebhookFilter, type WebhookKey } from './webhook-store.js';

/** How long a replaced secret stays valid by default: a day. */
const DEFAULT_OVERLAP_SECONDS = 86_400;

/**
 * The management of webhooks, for their routes. An unknown webhook, or a webhook of another workspace, is the problem
 * `webhook_not_found`. `keep` makes the response that is stored for a repeated request with the same idempotency key.
 */
export interface Webhooks {
  /**
   * Registers a webhook; the result shows its secret.
   * @throws Problem `invalid_webhook_url`, `blocked_address`; `validation_error` for a header value `(hidden)` that
   *   stands for no stored value
   */
  create(
    workspace: string,
    input: WebhookCreate,
    keep: KeepAnswer<WebhookResource>,
  ): Promise<WebhookResource>;
  get(key: WebhookKey): Promise<WebhookResource>;
  list(filter: WebhookFilter, cursor: Cursor | null, limit: number): Promise<Page<WebhookResource>>;
  /** @throws Problem as {@link create} */
  update(key: WebhookKey, input: WebhookUpdate): Promise<WebhookResource>;
  /**
   * Replaces the secret; the result shows the new secret.
   * @param overlapSeconds how long deliveries are also signed with the previous secret; a day by default
   * @throws Problem `invalid_state` when another request changed the secret at the same time
   */
  rotateSecret(
    key: WebhookKey,
    overlapSeconds: number | null | undefined,
    keep: KeepAnswer<WebhookResource>,
  ): Promise<WebhookResource>;
  /** Deletes a webhook; its delivery log stays. */
  remove(key: WebhookKey): Promise<void>;
}

/** Creates the management of webhooks; `WebhookService` is the only caller. */
export function createWebhooks(parts: {
  store: Store;
  clock: Clock;
  ids: Ids;
  guard: SsrfGuard;
  /** Called when a webhook was created, changed (also its secret) or deleted. */
  onChange(webhookId: string): void;
}): Webhooks {
  const { store, clock, ids, guard, onChange } = parts;
  const show = (record: Parameters<typeof toWebhookResource>[0], showSecret = false) =>
    toWebhookResource(record, { now: clock.wallMs(), showSecret });
  return {
    async create(workspace, input, keep) {
      await checkReceiverUrl(guard, input.url, 'url');
      const generated = { id: ids.next('wh'), workspace, secret: newWebhookSecret(ids), at: clock.wallMs() };
      const webhook = newWebhook(input, generated);
      const resource = show({ webhook, lastDelivery: null }, true);
      await store.write(webhookTransactions.create, { webhook, answer: keep(resource) });
      onChange(webhook.id);
      return resource;
    },
    get: async (key) => show(await store.read(webhookTransactions.get, key)),
    async list(filter, cursor, limit) {
      const page = await store.read(webhookTransactions.list, { filter, cursor, limit });
      return { items: page.items.map((record) => show(record)), next: page.next };
    },
    async update(key, input) {
      if (input.url) await checkReceiverUrl(guard, input.url, 'url');
      const record = await store.write(webhookTransactions.update, { ...key, input, at: clock.wallMs() });
      onChange(key.id);
      return show(record);
    },
    async rotateSecret(key, overlapSeconds, keep) {
      const at = clock.wallMs();
      const overlapMs = (overlapSeconds ?? DEFAULT_OVERLAP_SECONDS) * 1_000;
      const overlapUntil = overlapMs > 0 ? at + overlapMs : null;
      // The response is stored in the transaction of the change, so it is generated before that transaction.
      const { webhook, lastDelivery } = await store.read(webhookTransactions.get, key);
      const rotated = rotatedWebhook(webhook, { secret: newWebhookSecret(ids), overlapUntil, at });
      const resource = show({ webhook: rotated, lastDelivery }, true);
      await store.write(webhookTransactions.rotate, {
        webhook: rotated,
        before: webhook.secret,
        answer: keep(resource),
      });
      onChange(key.id);
      return resource;
    },
    async remove(key) {
      await store.write(webhookTransactions.remove, { ...key, at: clock.wallMs() });
      onChange(key.id);
    },
  };
}
