import { z } from 'zod';
import { EventFilters } from '#events/event-filters.js';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { flagColumn, jsonColumn } from '#store/statements/columns.js';
import { retryPolicy } from './retry-policy.js';

/** After this many failures in a row, a webhook gets only single deliveries (probes), until one succeeds. */
export const PROBING_AFTER_FAILURES = 10;
/** The interval of the probes. */
export const PROBE_EVERY_MS = 30_000;

/** Shown in place of the value of a header, which may be a credential. */
export const HIDDEN = '(hidden)';

/** Why the service disabled a webhook: its receiver answered 410 Gone, or failed for days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

/**
 * A row of `webhooks`: a webhook that a client registered, or a `NotificationTarget`. Instants are epoch milliseconds.
 */
export const WebhookRow = z.object({
  id: z.string(),
  workspace: z.string(),
  /** The schedule of a notification target; null for a registered webhook. */
  owner_id: z.string().nullable(),
  url: z.string(),
  /** Stored in plain text, because signing needs it; shown only in the response that makes or replaces it. */
  secret: z.string(),
  /** The secret before the last rotation; requests are signed with it, too, until `previous_secret_until`. */
  previous_secret: z.string().nullable(),
  previous_secret_until: z.int().nullable(),
  /** The event types that the webhook receives; empty for a notification target. */
  events: jsonColumn(z.array(z.enum(EVENT_TYPE_NAMES))),
  filters: jsonColumn(EventFilters),
  retry_policy: jsonColumn(retryPolicy),
  headers: jsonColumn(z.record(z.string(), z.string())),
  description: z.string().nullable(),
  active: flagColumn,
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  failures_in_row: z.int(),
  /** When the current series of failures began; null without one. */
  failing_since: z.int().nullable(),
  /** Deliveries that ended as failed in the current series. */
  exhausted_in_row: z.int(),
  /** When the next probe is allowed; null while the webhook is healthy. */
  probe_at: z.int().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type WebhookRow = z.output<typeof WebhookRow>;

/** A webhook with the end of its last finished delivery. */
export interface WebhookRecord {
  webhook: WebhookRow;
  lastDelivery: { at: number; status: string } | null;
}

/** The previous secret while it is valid, else null. */
export function previousSecret(
  webhook: Pick<WebhookRow, 'previous_secret' | 'previous_secret_until'>,
  now: number,
): string | null {
  const until = webhook.previous_secret_until;
  return until !== null && until > now ? webhook.previous_secret : null;
}

/**
 * The columns of a healthy webhook, without a current series of failures: for a new webhook, and after a client has
 * switched a webhook on or changed its URL.
 */
export const HEALTHY = { failures_in_row: 0, failing_since: null, exhausted_in_row: 0, probe_at: null };
