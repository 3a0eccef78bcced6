import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import type { EventFilters } from '#events/event-filters.js';
import type { EventType } from '#events/event-types.js';
import { Problem } from '#kernel/errors/errors.js';
import { flag } from '#store/statements/columns.js';
import { insertInto } from '#store/statements/insert.js';
import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { LIMIT } from '#store/statements/limit.js';
import { newestFirst } from '#store/statements/newest-first.js';
import type { Cursor, Page } from '#store/page.js';
import { defineTransactions, type SqlRow, type SqlValue, type Tx } from '#store/transaction.js';
import { update } from '#store/statements/update.js';
import { changedWebhook } from './webhook-changes.js';
import type { WebhookUpdate } from './webhook-input.js';
import { WebhookRow, type WebhookRecord } from './webhook.js';

/** The key of a webhook: a webhook is found only in its own workspace. */
export interface WebhookKey {
  workspace: string;
  id: string;
}

/** Filters of a list of webhooks; instants are epoch milliseconds. */
export interface WebhookFilter extends CreationFilter {
  workspace: string;
  active?: boolean | undefined;
  /** Webhooks that are subscribed to any of these types. */
  events?: readonly EventType[] | undefined;
}

/** The most deliveries that are cancelled with their webhook; further deliveries are cancelled when they are due. */
const CANCELLED_AT_ONCE = 500;

/** Webhooks with the end of their last finished delivery (`last_at`, `last_status`; null if there is none). */
const WITH_LAST_DELIVERY = `select webhooks.*, last.finished_at as last_at, last.status as last_status
  from webhooks left join deliveries last on last.id = (
    select id from deliveries where webhook_id = webhooks.id and finished_at is not null
    order by finished_at desc limit 1)`;

/**
 * Transactions of the webhooks that clients register; for `createWebhooks`, `createDeliveries` (`isKnown`) and
 * `WebhookService` (`any`). A row with an `owner_id` is the notification target of a schedule: clients cannot read or
 * change it here.
 */
export const webhookTransactions = defineTransactions('webhooks', {
  /** Stores a new webhook, its subscriptions and the idempotent response. */
  async create(tx, args: { webhook: WebhookRow; answer: IdempotentAnswer | null }): Promise<void> {
    await insertInto(tx, 'webhooks', toColumns(args.webhook));
    await renewSubscriptions(tx, args.webhook);
    if (args.answer) await keepAnswer(tx, args.answer);
  },

  /** One registered webhook. @throws Problem `webhook_not_found` */
  get: recordOf,

  /** True if the webhook exists or was deleted; also for the notification target of a schedule. */
  async isKnown(tx, { workspace, id }: WebhookKey): Promise<boolean> {
    const row = await tx.get('select id from webhooks where id = ? and workspace = ?', id, workspace);
    return row !== undefined;
  },

  /** A page of the registered webhooks, newest first. */
  async list(
    tx,
    args: { filter: WebhookFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<WebhookRecord>> {
    const conditions = conditionsOf(args.filter);
    return newestFirst(tx, { ...args, select: WITH_LAST_DELIVERY, table: 'webhooks', conditions }, toRecord);
  },

  /** Changes a webhook and its subscriptions. @throws Problem `webhook_not_found` */
  async update(tx, args: WebhookKey & { input: WebhookUpdate; at: number }): Promise<WebhookRecord> {
    const changed = changedWebhook(await requireWebhook(tx, args), args.input, args.at);
    await writeWebhook(tx, changed);
    await renewSubscriptions(tx, changed);
    return recordOf(tx, args);
  },

  /**
   * Replaces the secrets.
   * @throws Problem `invalid_state` if another request has replaced the secret `before`, or deleted the webhook
   */
  async rotate(
    tx,
    args: { webhook: WebhookRow; before: string; answer: IdempotentAnswer | null },
  ): Promise<void> {
    const { id, secret, previous_secret, previous_secret_until, updated_at } = args.webhook;
    const changed = await tx.run(
      `update webhooks set secret = ?, previous_secret = ?, previous_secret_until = ?, updated_at = ?
       where id = ? and secret = ? and deleted_at is null`,
      secret,
      previous_secret,
      previous_secret_until,
      updated_at,
      id,
      args.before,
    );
    if (changed === 0) throw new Problem('invalid_state', 'The secret was changed at the same time.');
    if (args.answer) await keepAnswer(tx, args.answer);
  },

  /**
   * Deletes a webhook. Its delivery log stays; pending deliveries are cancelled, up to {@link CANCELLED_AT_ONCE}.
   * @throws Problem `webhook_not_found`
   */
  async remove(tx, args: WebhookKey & { at: number }): Promise<void> {
    const webhook = await requireWebhook(tx, args);
    await renewSubscriptions(tx, { ...webhook, events: [] });
    await tx.run(
      'update webhooks set active = 0, deleted_at = ?, updated_at = ? where id = ?',
      args.at,
      args.at,
      webhook.id,
    );
    await tx.run(
      `update deliveries set status = 'cancelled', next_at = null, finished_at = ?
       where id in (select id from deliveries where webhook_id = ? and status = 'pending'
         order by next_at, id ${LIMIT}${tx.dialect.skipLocked})`,
      args.at,
      webhook.id,
      CANCELLED_AT_ONCE,
    );
  },

  /** True if any webhook exists, including notification targets of schedules. */
  async any(tx): Promise<boolean> {
    return (await tx.get('select id from webhooks where deleted_at is null limit 1')) !== undefined;
  },
});

/**
 * The row of a registered webhook, locked until the transaction ends.
 * @throws Problem `webhook_not_found`
 */
export async function requireWebhook(tx: Tx, { workspace, id }: WebhookKey): Promise<WebhookRow> {
  const row = await tx.get(
    `select * from webhooks where id = ? and workspace = ? and owner_id is null and deleted_at is null${tx.dialect.forUpdate}`,
    id,
    workspace,
  );
  if (!row) throw webhookNotFound();
  return WebhookRow.parse(row);
}

/** The error for an unknown webhook, or a webhook of another workspace. */
export function webhookNotFound(): Problem {
  return new Problem('webhook_not_found', 'There is no webhook with this id.');
}

/** A registered webhook. @throws Problem `webhook_not_found` */
async function recordOf(tx: Tx, { workspace, id }: WebhookKey): Promise<WebhookRecord> {
  const row = await tx.get(
    `${WITH_LAST_DELIVERY} where webhooks.id = ? and webhooks.workspace = ? and owner_id is null and deleted_at is null`,
    id,
    workspace,
  );
  if (!row) throw webhookNotFound();
  return toRecord(row);
}

function toRecord(row: SqlRow): WebhookRecord {
  const { last_at: at, last_status: status } = row;
  return {
    webhook: WebhookRow.parse(row),
    lastDelivery: at === null ? null : { at: Number(at), status: String(status) },
  };
}

/** Makes the rows of `subscriptions`, by which events find their webhooks, agree with a webhook. */
async function renewSubscriptions(tx: Tx, { workspace, id, events, filters }: WebhookRow): Promise<void> {
  const storedFilters = Object.keys(filters).length > 0 ? filters : null;
  await subscribe(tx, { workspace, webhookId: id, events, filters: storedFilters });
}

async function writeWebhook(tx: Tx, webhook: WebhookRow): Promise<void> {
  const { id: _id, workspace: _workspace, created_at: _createdAt, ...columns } = toColumns(webhook);
  await update(tx, 'webhooks', { set: columns, where: { id: webhook.id } });
}

/** The columns of a webhook. */
function toColumns(webhook: WebhookRow): Record<string, SqlValue> {
  return {
    ...webhook,
    events: JSON.stringify(webhook.events),
    filters: JSON.stringify(webhook.filters),
    retry_policy: JSON.stringify(webhook.retry_policy),
    headers: JSON.stringify(webhook.headers),
    active: flag(webhook.active),
  };
}

/** The conditions of a filter; null for a field without a condition. */
function conditionsOf(filter: WebhookFilter): (Condition | null)[] {
  // A condition in SQL, and its values.
  const [isSubscribed, ...types] = anyOf('event_type', filter.events) ?? [];
  return [
    ['webhooks.workspace = ? and owner_id is null and deleted_at is null', filter.workspace],
    filter.active === undefined ? null : ['active = ?', flag(filter.active)],
    isSubscribed === undefined
      ? null
      : [`webhooks.id in (select webhook_id from subscriptions where ${isSubscribed})`, ...types],
  ];
}

/** Replaces the subscriptions of a webhook; an empty list of events removes all. */
export async function subscribe(
  tx: Tx,
  subscription: {
    workspace: string;
    webhookId: string;
    events: readonly EventType[];
    filters: EventFilters | null;
  },
): Promise<void> {
  await tx.run('delete from subscriptions where webhook_id = ?', subscription.webhookId);
  const filters = subscription.filters && JSON.stringify(subscription.filters);
  for (const type of subscription.events) {
    await tx.run(
      'insert into subscriptions (workspace, event_type, webhook_id, filters) values (?, ?, ?, ?)',
      subscription.workspace,
      type,
      subscription.webhookId,
      filters,
    );
  }
}
