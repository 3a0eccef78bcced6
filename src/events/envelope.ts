import { toInstant } from '#kernel/time/clock.js';

/** The largest body of a delivery (docs/webhooks.md); a larger body is sent without its transcript. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;

/**
 * The content of an envelope: `type` is the event type, `event` the short type of a schedule's notification, `at` the
 * instant in epoch milliseconds.
 */
export interface EnvelopeParts {
  id: string;
  type: string;
  at: number;
  event?: string;
  data: Readonly<Record<string, unknown>>;
}

/**
 * The envelope of an event as JSON text: the exact body of its deliveries to webhooks (docs/webhooks.md), as the outbox
 * stores it. A body that is too large has `truncated: true` in place of the transcript, which can be fetched.
 */
export function envelopeOf(parts: EnvelopeParts): string {
  const body = toJson(parts);
  // A UTF-16 unit takes at most three bytes: the bytes of most bodies need not be counted.
  if (body.length * 3 <= LARGEST_BODY_BYTES || Buffer.byteLength(body) <= LARGEST_BODY_BYTES) return body;
  const { transcript: _transcript, ...data } = parts.data;
  return toJson({ ...parts, data: { ...data, truncated: true } });
}

function toJson({ id, type, at, event, data }: EnvelopeParts): string {
  return JSON.stringify({ event_type: type, event, timestamp: toInstant(at), webhook_id: id, data });
}
