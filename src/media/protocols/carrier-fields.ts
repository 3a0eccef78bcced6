import { z } from 'zod';
import type { SampleRateHz } from '#media/samples/audio.js';
import { ProtocolError, type StreamMessage } from './stream-protocol.js';

/** A JSON object that a peer sent. */
export type Json = Readonly<Record<string, unknown>>;

/** A carrier's id of a call. It is kept with the call, and databases have no U+0000. */
export const callIdField = z
  .string()
  .max(256)
  .regex(/^[^\0]*$/);

/** A key that was pressed. Some carriers write figures as numbers. */
export const digitField = z.coerce.string().regex(/^[\x21-\x7E]$/);

const KEY = /^[0-9A-D*#]$/;

/** A key, as it is heard. Lines have events besides keys (RFC 2833, 3.10: a flash of the hook), which say nothing. */
export function keyPressed(digit: string): StreamMessage | null {
  const key = digit.toUpperCase();
  return KEY.test(key) ? { kind: 'dtmf', digit: key } : null;
}

export const markNameField = z.string().max(256);

/** What our own call control handed over, as texts; none where a carrier leaves an empty list out. */
export const parametersField = z
  .record(z.string(), z.coerce.string())
  .nullish()
  .transform((parameters) => parameters ?? {});

/** A count or a rate, which some carriers write as text. */
export const numberField = z.coerce.number();

/** The part of a message that is looked at. @throws ProtocolError that names the field that is wrong */
export function readFields<Output>(schema: z.ZodType<Output>, json: Json): Output {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ProtocolError(`a message is malformed at "${field}"`);
}

/**
 * Parameters that a carrier merged into a message of its own: all that is text, number or truth value, as text.
 * Lists and objects are the carrier's own and left out.
 */
export function flatParameters(json: Json, besides: readonly string[]): Readonly<Record<string, string>> {
  const isParameter = ([key, value]: [string, unknown]) =>
    !besides.includes(key) && ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(json)
      .filter(isParameter)
      .map(([key, value]) => [key, String(value)]),
  );
}

/** @throws ProtocolError for a rate that is not spoken here */
export function spokenRate(rateHz: number): SampleRateHz {
  if (rateHz === 8000 || rateHz === 16_000) return rateHz;
  throw new ProtocolError('only 8000 and 16000 Hz are spoken here');
}
