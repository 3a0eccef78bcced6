import { readNumber } from './written-number.js';
import type { Fields } from './form-fields.js';

/** Longer texts than any carrier's are rubbish. */
const LONGEST_TEXT = 256;

/**
 * What the interface calls the id of a call and the numbers at its ends, and what carriers do. A gateway that speaks in
 * a carrier's place may know no other names (Interface: Secondary endpoints, `/webhook/<provider>/incoming`).
 */
const CALL_ID = ['CallSid', 'CallUUID', 'call_control_id', 'call_sid', 'callSid'];
const FROM = /^from$/i;
const TO = /^to$/i;

/** The carrier's id of the call that a request is about; null when it names none. */
export function callIdIn(fields: Fields): string | null {
  return firstOf(fields, CALL_ID);
}

/** The numbers at the ends of a call (E.164); null for one that is hidden, or none. */
export function numbersIn(fields: Fields): { from: string | null; to: string | null } {
  return {
    from: readNumber(firstLike(fields, FROM) ?? firstOf(fields, ['Caller'])),
    to: readNumber(firstLike(fields, TO) ?? firstOf(fields, ['Called'])),
  };
}

/** The value of the first of these names that has one. */
export function firstOf(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const value = textOf(fields.get(name));
    if (value) return value;
  }
  return null;
}

/** The first value of such a name, however it is written: what the body says comes before what the query says. */
function firstLike(fields: Fields, name: RegExp): string | null {
  const named = fields.entries().find(([known, value]) => name.test(known) && textOf(value) !== null);
  return textOf(named?.[1]);
}

function textOf(written: string | undefined): string | null {
  return written?.replaceAll('\0', '').trim().slice(0, LONGEST_TEXT) || null;
}
