import { readNumber } from './written-number.js';
import type { Fields } from './form-fields.js';

/** Longer texts are invalid. */
const LONGEST_TEXT = 256;

/**
 * Field names of call id and numbers, of our API and of all carriers: a gateway in a carrier's place may use any of
 * them (`/webhook/{provider}/incoming` in openapi.json).
 */
const CALL_ID = ['CallSid', 'CallUUID', 'call_control_id', 'call_sid', 'callSid'];
const FROM = /^from$/i;
const TO = /^to$/i;

/** The carrier's call id; null if the request has none. */
export function callIdIn(fields: Fields): string | null {
  return firstOf(fields, CALL_ID);
}

/** The numbers of a call (E.164); null for a hidden or missing one. */
export function numbersIn(fields: Fields): { from: string | null; to: string | null } {
  return {
    from: readNumber(firstLike(fields, FROM) ?? firstOf(fields, ['Caller'])),
    to: readNumber(firstLike(fields, TO) ?? firstOf(fields, ['Called'])),
  };
}

/** The first non-empty value among these names. */
export function firstOf(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = textOf(fields.get(name));
    if (value) return value;
  }
  return null;
}

/** The first value of a matching name; the body comes before the query. */
function firstLike(fields: Fields, name: RegExp): string | null {
  const named = fields.entries().find(([known, value]) => name.test(known) && textOf(value) !== null);
  return textOf(named?.[1]);
}

function textOf(written: string | undefined): string | null {
  return written?.replaceAll('\0', '').trim().slice(0, LONGEST_TEXT) || null;
}
