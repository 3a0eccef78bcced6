import { toE164 } from './e164.js';
import type { Fields } from './form-fields.js';

/**
 * Reads the call id and the numbers of a call from the fields of carriers' webhooks, under the names that these
 * carriers use. Used by all codecs but that of Telnyx's Call Control, whose fields are nested. The codecs of Vonage,
 * jambonz and Plivo look for further names of the call id first.
 */

/** The longest text that is read from a field, in characters. Longer texts are cut. */
const MAX_TEXT_LENGTH = 256;

/**
 * The names of the field with the call id; `FROM` and `TO` are those of the numbers. From every carrier all of these
 * names are accepted: a gateway in a carrier's place may send any (`/webhook/{provider}/incoming` in openapi.json).
 */
const CALL_ID = ['CallSid', 'CallUUID', 'call_control_id', 'call_sid', 'callSid'];
const FROM = /^from$/i;
const TO = /^to$/i;

/** The carrier's call id in a request; null if it has none. */
export function callIdIn(fields: Fields): string | null {
  return firstOf(fields, CALL_ID);
}

/** The numbers of a call in a request (E.164); null for a hidden, missing or invalid number. */
export function numbersIn(fields: Fields): { from: string | null; to: string | null } {
  return {
    from: toE164(firstLike(fields, FROM) ?? firstOf(fields, ['Caller'])),
    to: toE164(firstLike(fields, TO) ?? firstOf(fields, ['Called'])),
  };
}

/** The first value among the fields of these names; null if all are missing or empty. */
export function firstOf(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = textOf(fields.get(name));
    if (value) return value;
  }
  return null;
}

/** The first value that is not empty and whose name matches; fields of the body come before those of the query. */
function firstLike(fields: Fields, name: RegExp): string | null {
  const match = fields.entries().find(([fieldName, value]) => name.test(fieldName) && textOf(value) !== null);
  return textOf(match?.[1]);
}

/** A text without surrounding spaces and NUL characters, cut to the limit; null if nothing is left. */
function textOf(text: string | undefined): string | null {
  return text?.replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH) || null;
}
