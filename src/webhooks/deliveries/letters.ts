import { z } from 'zod';
import { jsonColumn } from '../../store/statements/columns.js';
import { places } from '../../store/statements/places.js';
import type { SqlRow, Tx } from '../../store/unit.js';
import { retryPolicy } from '../registrations/retry-policy.js';

/** A delivery in somebody's hands. */
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
});

/** Its columns, for the `returning` of whoever takes deliveries. */
export const SHEET_COLUMNS = Object.keys(Sheet.shape).join(', ');

/** Where the letters to one webhook go, and how. */
const Addressee = z.object({
  id: z.string(),
  url: z.string(),
  secret: z.string(),
  previous_secret: z.string().nullable(),
  previous_secret_until: z.int().nullable(),
  headers: jsonColumn(z.record(z.string(), z.string())),
  retry_policy: jsonColumn(retryPolicy),
});

/** What the letters about one event say. */
const Message = z.object({ id: z.string(), body: z.string() });

/** A claimed delivery with all that sending it takes, read at that moment. Letters share what they have in common. */
export interface Letter extends z.output<typeof Sheet> {
  addressee: z.output<typeof Addressee>;
  message: z.output<typeof Message>;
}

/** Makes letters of deliveries that were taken (rows of {@link SHEET_COLUMNS}), the oldest first. */
export async function toLetters(tx: Tx, rows: readonly SqlRow[]): Promise<Letter[]> {
  if (rows.length === 0) return [];
  const sheets = rows.map((row) => Sheet.parse(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const addressees = await readAddressees(tx, [...new Set(sheets.map((sheet) => sheet.webhook_id))]);
  const messages = await readMessages(tx, [...new Set(sheets.map((sheet) => sheet.event_id))]);
  return sheets.map((sheet) => ({
    ...sheet,
    addressee: addressees.get(sheet.webhook_id)!,
    message: messages.get(sheet.event_id)!,
  }));
}

async function readAddressees(tx: Tx, ids: readonly string[]) {
  const columns = Object.keys(Addressee.shape).join(', ');
  const rows = await tx.all(`select ${columns} from webhooks where id in (${places(ids)})`, ...ids);
  return new Map(rows.map((row) => Addressee.parse(row)).map((addressee) => [addressee.id, addressee]));
}

async function readMessages(tx: Tx, ids: readonly string[]) {
  const rows = await tx.all(`select id, body from events where id in (${places(ids)})`, ...ids);
  return new Map(rows.map((row) => Message.parse(row)).map((message) => [message.id, message]));
}
