import { z } from 'zod';
import type { SampleRateHz } from '#media/samples/audio.js';
import { ProtocolError, type StreamMessage } from './stream-protocol.js';

/* Fields and helpers for the JSON messages of audio sockets, shared by the stream protocols of the carriers. */

/** A JSON object that a peer sent. */
export type Json = Readonly<Record<string, unknown>>;

/** A carrier's call id. It is stored with the call, and databases refuse U+0000. */
export const callIdField = z
  .string()
  .max(256)
  .regex(/^[^\0]*$/);

/** The key of a DTMF message, for {@link dtmfMessage} to validate. Some carriers send digits as numbers. */
export const digitField = z.coerce.string().regex(/^[\x21-\x7E]$/);

const DTMF_KEY = /^[0-9A-D*#]$/;

/** The message for a DTMF key; null for other telephone events (RFC 2833 section 3.10, such as a hook flash). */
export function dtmfMessage(digit: string): StreamMessage | null {
  const key = digit.toUpperCase();
  return DTMF_KEY.test(key) ? { kind: 'dtmf', digit: key } : null;
}

/** The name of a mark, which the service chose when it sent the mark. */
export const markNameField = z.string().max(256);

/** The parameters of our markup, which the carrier returns as texts; a carrier may omit the field if there are none. */
export const parametersField = z
  .record(z.string(), z.coerce.string())
  .nullish()
  .transform((parameters) => parameters ?? {});

/** A count or a rate; some carriers send numbers as text. */
export const numberField = z.coerce.number();

/** Reads the fields of a message by a schema. @throws ProtocolError that names the invalid field */
export function readFields<Output>(schema: z.ZodType<Output>, json: Json): Output {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ProtocolError(`a message is malformed at "${field}"`);
}

/**
 * The parameters of our markup from a message into which the carrier has merged them (jambonz, Vonage): all strings,
 * numbers and booleans, as text. Lists and objects are fields of the carrier and left out.
 * @param excluded names of further fields to leave out
 */
export function flatParameters(json: Json, excluded: readonly string[]): Readonly<Record<string, string>> {
  const isParameter = ([key, value]: [string, unknown]) =>
    !excluded.includes(key) && ['string', 'number', 'boolean'].includes(typeof value);
  return Object.fromEntries(
    Object.entries(json)
      .filter(isParameter)
      .map(([key, value]) => [key, String(value)]),
  );
}

/** Returns the rate if it is supported. @throws ProtocolError for any other */
export function requireSupportedRate(rateHz: number): SampleRateHz {
  if (rateHz === 8000 || rateHz === 16_000) return rateHz;
  throw new ProtocolError('only 8000 and 16000 Hz are spoken here');
}

/** Parses a text frame as a JSON object. @throws ProtocolError for anything else */
export function parseJsonMessage(message: Buffer): Json {
  const json = tryParse(message.toString());
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ProtocolError('text frames hold JSON objects');
  }
  return json as Json;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
