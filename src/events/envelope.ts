import { toInstant } from '#kernel/time/clock.js';

/** The largest body of a delivery (docs/webhooks.md); a larger one loses its transcript. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;

/** The content of an envelope. `event` is the short type of a schedule's notification; `at` in epoch milliseconds. */
export interface EnvelopeParts {
  id: string;
  type: string;
  at: number;
  event?: string;
  data: Readonly<Record<string, unknown>>;
}

/**
 * The body of a delivery, to the byte (docs/webhooks.md). A body that is too large is sent without its transcript,
 * which can be fetched, and with `truncated: true`.
 */
export function envelopeOf(parts: EnvelopeParts): string {
  const body = write(parts);
  // A character takes at most three bytes: most bodies need not be counted.
  if (body.length * 3 <= LARGEST_BODY_BYTES || Buffer.byteLength(body) <= LARGEST_BODY_BYTES) return body;
  const { transcript: _transcript, ...data } = parts.data;
  return write({ ...parts, data: { ...data, truncated: true } });
}

function write({ id, type, at, event, data }: EnvelopeParts): string {
  return JSON.stringify({ event_type: type, event, timestamp: toInstant(at), webhook_id: id, data });
}
