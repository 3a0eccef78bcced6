import type { EventFilters } from '#events/event-filters.js';
import { USUAL_EVENT_TYPES } from '#events/event-types.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import { retryPolicy } from './retry-policy.js';
import type { FiltersInput, WebhookCreate, WebhookUpdate } from './webhook-input.js';
import { HEALTHY, HIDDEN, type WebhookRow } from './webhook.js';

/**
 * The row of a new webhook, from a validated request and the generated values; the secret of the request wins over the
 * generated secret.
 * @throws Problem `validation_error` for a header value `(hidden)`, which stands for a stored value
 */
export function newWebhook(
  input: WebhookCreate,
  generated: { id: string; workspace: string; secret: string; at: number },
): WebhookRow {
  return {
    id: generated.id,
    workspace: generated.workspace,
    owner_id: null,
    url: input.url,
    secret: input.secret ?? generated.secret,
    previous_secret: null,
    previous_secret_until: null,
    events: input.events ?? USUAL_EVENT_TYPES,
    filters: mergedFilters({}, input.filters ?? {}),
    retry_policy: retryPolicy.parse(withoutEmpty(input.retry_policy ?? {})),
    headers: resolvedHeaders(input.headers ?? {}, {}),
    description: input.description ?? null,
    active: input.active ?? true,
    disabled_reason: null,
    ...HEALTHY,
    created_at: generated.at,
    updated_at: generated.at,
  };
}

/**
 * The row of a webhook after an update (openapi.json: `WebhookUpdate`). A new URL, or `active: true`, makes it healthy
 * again. A new secret ends the old secret at once.
 * @throws Problem `validation_error` for a header value `(hidden)` without a stored value
 */
export function changedWebhook(webhook: WebhookRow, input: WebhookUpdate, at: number): WebhookRow {
  const { url, events, active, filters, retry_policy, secret, description, headers } = input;
  const resetsHealth = active === true || (url ?? webhook.url) !== webhook.url;
  const isNewSecret = secret && secret !== webhook.secret;
  return {
    ...(isNewSecret ? rotatedWebhook(webhook, { secret, overlapUntil: null, at }) : webhook),
    url: url ?? webhook.url,
    events: events ?? webhook.events,
    active: active ?? webhook.active,
    filters: filters === null ? {} : mergedFilters(webhook.filters, filters ?? {}),
    retry_policy: { ...webhook.retry_policy, ...withoutEmpty(retry_policy ?? {}) },
    description: description === undefined ? webhook.description : description,
    headers: headers === undefined ? webhook.headers : resolvedHeaders(headers ?? {}, webhook.headers),
    // A webhook that the client switches off stays `disabled` if the service had disabled it.
    disabled_reason: (active ?? webhook.active) ? null : webhook.disabled_reason,
    ...(resetsHealth && HEALTHY),
    updated_at: at,
  };
}

/**
 * The row of a webhook with a new secret. The previous secret stays valid until `overlapUntil`; null ends it at once.
 */
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

/** The headers of a request; a value `(hidden)` is replaced by the stored value. */
function resolvedHeaders(
  requested: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const valueOf = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = Object.entries(requested).map(([name, value]) => {
    const actual = value === HIDDEN ? valueOf.get(name.toLowerCase()) : value;
    if (actual === undefined)
      throw fieldProblem('validation_error', `headers.${name}`, 'has no value yet', 'invalid_value');
    return [name, actual] as const;
  });
  return Object.fromEntries(headers);
}

/** Merges filters: null removes a filter, a missing filter stays. */
function mergedFilters(filters: EventFilters, input: FiltersInput): EventFilters {
  const named = Object.entries(input).filter(([, value]) => value !== undefined);
  return withoutEmpty({ ...filters, ...Object.fromEntries(named) });
}

/** The fields whose values are neither undefined nor null. */
function withoutEmpty<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> };
}
