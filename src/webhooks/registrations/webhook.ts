import { z } from 'zod';
import { EventFilters } from '#events/event-filters.js';
import { EVENT_TYPE_NAMES } from '#events/event-types.js';
import { flagColumn, jsonColumn } from '#store/statements/columns.js';
import { retryPolicy } from './retry-policy.js';

/** After so many failures in a row only one delivery is tried now and then, until one gets through. */
export const PROBING_AFTER_FAILURES = 10;
export const PROBE_EVERY_MS = 30_000;

/** What is shown in place of the value of a header, which may be a credential. */
export const HIDDEN = '(hidden)';

/** Why a webhook was switched off without being asked to. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

/** A registered webhook, or the target of a schedule's notifications, as its row holds it; instants are epoch ms. */
export const WebhookRow = z.object({
  id: z.string(),
  workspace: z.string(),
  /** Whose notifications it carries; null for a registration. */
  owner_id: z.string().nullable(),
  url: z.string(),
  /** Kept as it is, because it is needed to sign; it is shown when it is made, and never again. */
  secret: z.string(),
  previous_secret: z.string().nullable(),
  previous_secret_until: z.int().nullable(),
  events: jsonColumn(z.array(z.enum(EVENT_TYPE_NAMES))),
  filters: jsonColumn(EventFilters),
  retry_policy: jsonColumn(retryPolicy),
  headers: jsonColumn(z.record(z.string(), z.string())),
  description: z.string().nullable(),
  active: flagColumn,
  disabled_reason: z.enum(DISABLED_REASONS).nullable(),
  failures_in_row: z.int(),
  /** Since when nothing has got through; null while all is well. */
  failing_since: z.int().nullable(),
  /** Deliveries that were given up since then. */
  exhausted_in_row: z.int(),
  /** When the next one may be tried, while only now and then one is. */
  probe_at: z.int().nullable(),
  created_at: z.int(),
  updated_at: z.int(),
});
export type WebhookRow = z.output<typeof WebhookRow>;

/** A webhook and how its last delivery ended. */
export interface WebhookRecord {
  webhook: WebhookRow;
  lastDelivery: { at: number; status: string } | null;
}

/** The secret that still counts beside the current one. */
export function previousSecret(
  webhook: Pick<WebhookRow, 'previous_secret' | 'previous_secret_until'>,
  now: number,
): string | null {
  const until = webhook.previous_secret_until;
  return until !== null && until > now ? webhook.previous_secret : null;
}

/** What a webhook forgets of its failures when it is well, or is switched on again. */
export const HEALTHY = { failures_in_row: 0, failing_since: null, exhausted_in_row: 0, probe_at: null };
