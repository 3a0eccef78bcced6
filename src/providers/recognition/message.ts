/**
 * Readers for the JSON messages of speech vendors. A missing or malformed field yields an empty value, never an error:
 * vendors change their messages, and a call must not fail for that. Used by the recognisers of all vendors.
 */

/** A vendor's message, as a JSON object whose fields are unchecked. */
export type Message = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export function objectOf(value: unknown): Message {
  return typeof value === 'object' && value !== null ? (value as Message) : {};
}

/** The value if it is a text, else an empty text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a finite number, else null. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A confidence, 0 to 1; an assumed one if the vendor sends none. */
export function confidenceOf(value: unknown): number {
  return Math.min(1, Math.max(0, numberOf(value) ?? ASSUMED_CONFIDENCE));
}

/** High enough to accept an answer, too low to count as certain. */
const ASSUMED_CONFIDENCE = 0.8;

/** Converts a vendor's seconds to whole milliseconds; undefined if the value is no number. */
export function msOf(seconds: unknown): number | undefined {
  const value = numberOf(seconds);
  return value === null ? undefined : Math.round(value * 1_000);
}
