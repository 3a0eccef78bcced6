import { z } from 'zod';
import { jsonColumn } from '../store/columns.js';
import type { Tx } from '../store/unit.js';
import { retryPolicy } from './retry-policy.js';

/** The part of a letter that is its delivery's own. */
const Sheet = z.object({
  id: z.string(),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  /** Attempts before this one: ever, and since it was last put in the queue. */
  attempts: z.int(),
  tries: z.int(),
  /** Names the claim: whoever writes down the outcome must still hold it. */
  lease_until: z.int(),
  body: z.string(),
});

/** The part that all letters to one webhook share. */
const Addressee = z.object({
  id: z.string(),
  url: z.string(),
  secret: z.string(),
  previous_secret: z.string().nullable(),
  previous_secret_until: z.int().nullable(),
  headers: jsonColumn(z.record(z.string(), z.string())),
  retry_policy: jsonColumn(retryPolicy),
});

/** A claimed delivery with all that sending it takes, read at that moment. */
export type Letter = z.output<typeof Sheet> & Omit<z.output<typeof Addressee>, 'id'>;

/** Makes letters of claimed deliveries, the longest waiting first; what they share is read once. */
export async function readLetters(tx: Tx, deliveryIds: readonly string[]): Promise<Letter[]> {
  if (deliveryIds.length === 0) return [];
  const rows = await tx.all(
    `select deliveries.id, deliveries.webhook_id, deliveries.event_id, deliveries.event_type, deliveries.attempts,
       deliveries.tries, deliveries.lease_until, events.body
     from deliveries join events on events.id = deliveries.event_id
     where deliveries.id in (${places(deliveryIds)}) order by deliveries.next_at, deliveries.id`,
    ...deliveryIds,
  );
  const sheets = rows.map((row) => Sheet.parse(row));
  const addressees = await readAddressees(tx, [...new Set(sheets.map((sheet) => sheet.webhook_id))]);
  return sheets.map((sheet) => ({ ...addressees.get(sheet.webhook_id)!, ...sheet }));
}

async function readAddressees(tx: Tx, webhookIds: readonly string[]) {
  const rows = await tx.all(
    `select id, url, secret, previous_secret, previous_secret_until, headers, retry_policy from webhooks
     where id in (${places(webhookIds)})`,
    ...webhookIds,
  );
  return new Map(rows.map((row) => Addressee.parse(row)).map((addressee) => [addressee.id, addressee]));
}

function places(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
