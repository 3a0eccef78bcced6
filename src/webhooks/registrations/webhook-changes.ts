import type { EventFilters } from '../../events/event-filters.js';
import { EVENT_TYPE_NAMES } from '../../events/event-types.js';
import { retryPolicy } from './retry-policy.js';
import type { FiltersInput, WebhookCreate, WebhookUpdate } from './webhook-input.js';
import { HEALTHY, type WebhookRow } from './webhook.js';

/** The row of a new registration. */
export function newWebhook(
  input: WebhookCreate,
  made: { id: string; workspace: string; secret: string; at: number },
): WebhookRow {
  return {
    id: made.id,
    workspace: made.workspace,
    owner_id: null,
    url: input.url,
    secret: input.secret ?? made.secret,
    previous_secret: null,
    previous_secret_until: null,
    events: input.events ?? [...EVENT_TYPE_NAMES],
    filters: mergedFilters({}, input.filters ?? {}),
    retry_policy: retryPolicy.parse(given(input.retry_policy ?? {})),
    headers: input.headers ?? {},
    description: input.description ?? null,
    active: input.active ?? true,
    disabled_reason: null,
    ...HEALTHY,
    created_at: made.at,
    updated_at: made.at,
  };
}

/** A registration with the fields changed that a request names (Interface: PUT `/v1/webhooks/{webhook_id}`). */
export function changedWebhook(webhook: WebhookRow, input: WebhookUpdate, at: number): WebhookRow {
  const { url, events, active, filters, retry_policy, description, headers } = input;
  const isRenewed = active === true || (url ?? webhook.url) !== webhook.url;
  return {
    ...webhook,
    url: url ?? webhook.url,
    events: events ?? webhook.events,
    active: active ?? webhook.active,
    filters: filters === null ? {} : mergedFilters(webhook.filters, filters ?? {}),
    retry_policy: { ...webhook.retry_policy, ...given(retry_policy ?? {}) },
    description: description === undefined ? webhook.description : description,
    headers: headers === undefined ? webhook.headers : (headers ?? {}),
    disabled_reason: (active ?? webhook.active) ? null : webhook.disabled_reason,
    ...(isRenewed && HEALTHY),
    updated_at: at,
  };
}

/** A registration with a new secret; the one before stays in force until `overlapUntil`, or ends at once. */
export function rotatedWebhook(
  webhook: WebhookRow,
  { secret, overlapUntil, at }: { secret: string; overlapUntil: number | null; at: number },
): WebhookRow {
  return {
    ...webhook,
    secret,
    previous_secret: overlapUntil === null ? null : webhook.secret,
    previous_secret_until: overlapUntil,
    updated_at: at,
  };
}

/** A condition that is null goes; one that is not named stays. */
function mergedFilters(filters: EventFilters, input: FiltersInput): EventFilters {
  const named = Object.entries(input).filter(([, value]) => value !== undefined);
  return given({ ...filters, ...Object.fromEntries(named) });
}

function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}
