import { z } from 'zod';
import { jsonColumn } from '#store/statements/columns.js';
import { placeholders } from '#store/statements/placeholders.js';
import type { SqlRow, Tx } from '#store/transaction.js';
import { retryPolicy } from '#webhooks/registrations/retry-policy.js';

/** The columns of a delivery that a claim reads. */
const ClaimRow = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  /** All earlier attempts. */
  attempts: z.int(),
  /** Earlier attempts since the delivery was last queued; they use up the retry policy. */
  tries: z.int(),
  /** Identifies the claim: an outcome is stored only while the row has this value. */
  lease_until: z.int(),
});

/** The same columns for the `returning` clause of a claim. */
export const CLAIM_COLUMNS = Object.keys(ClaimRow.shape).join(', ');

/** The columns of a webhook that sending needs. */
const Endpoint = z.object({
  id: z.string(),
  workspace: z.string(),
  url: z.string(),
  secret: z.string(),
  previous_secret: z.string().nullable(),
  previous_secret_until: z.int().nullable(),
  headers: jsonColumn(z.record(z.string(), z.string())),
  retry_policy: jsonColumn(retryPolicy),
});

/** The body of an event, which its deliveries share. */
const Message = z.object({ id: z.string(), body: z.string() });

/**
 * A delivery that this process has claimed to send, with its endpoint and body: the input of `DeliveryAttempter`. All
 * fields are read in the claiming transaction, so that sending needs no other read.
 */
export interface ClaimedDelivery extends z.output<typeof ClaimRow> {
  endpoint: z.output<typeof Endpoint>;
  message: z.output<typeof Message>;
}

/** Adds endpoints and bodies to claimed rows with {@link CLAIM_COLUMNS}; returns the deliveries oldest first. */
export async function withContents(tx: Tx, rows: readonly SqlRow[]): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const claims = rows.map((row) => ClaimRow.parse(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const endpoints = await readEndpoints(tx, [...new Set(claims.map((claim) => claim.webhook_id))]);
  const messages = await readMessages(tx, [...new Set(claims.map((claim) => claim.event_id))]);
  return claims.map((claim) => ({
    ...claim,
    endpoint: endpoints.get(claim.webhook_id)!,
    message: messages.get(claim.event_id)!,
  }));
}

async function readEndpoints(tx: Tx, ids: readonly string[]) {
  const columns = Object.keys(Endpoint.shape).join(', ');
  const rows = await tx.all(`select ${columns} from webhooks where id in (${placeholders(ids)})`, ...ids);
  return new Map(rows.map((row) => Endpoint.parse(row)).map((endpoint) => [endpoint.id, endpoint]));
}

async function readMessages(tx: Tx, ids: readonly string[]) {
  const rows = await tx.all(`select id, body from events where id in (${placeholders(ids)})`, ...ids);
  return new Map(rows.map((row) => Message.parse(row)).map((message) => [message.id, message]));
}
