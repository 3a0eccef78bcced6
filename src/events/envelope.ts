import { toInstant } from '#kernel/time/clock.js';

/** Receivers are promised no more (Interface: Limits); larger ones lose their transcript. */
const LARGEST_BODY_BYTES = 10 * 1024 * 1024;

/** What an envelope is made of; `event` is the short word of a schedule's notification. */
export interface EnvelopeParts {
  id: string;
  type: string;
  at: number;
  event?: string;
  data: Readonly<Record<string, unknown>>;
}

/**
 * The body that receivers get (Interface: Envelope), to the byte. What is too large goes without the transcript, which
 * can be fetched, and says so with `truncated`.
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
