/** A provider's message; only the fields that are read are checked. */
export type Message = Readonly<Record<string, unknown>>;

/** The value if it is an object, else an empty object. */
export function objectOf(value: unknown): Message {
  return typeof value === 'object' && value !== null ? (value as Message) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A confidence, 0 to 1. Without one from the provider, a value that is accepted but never certain. */
export function confidenceOf(value: unknown): number {
  return Math.min(1, Math.max(0, numberOf(value) ?? ASSUMED_CONFIDENCE));
}

const ASSUMED_CONFIDENCE = 0.8;

/** Converts seconds to milliseconds. */
export function msOf(seconds: unknown): number | undefined {
  const value = numberOf(seconds);
  return value === null ? undefined : Math.round(value * 1_000);
}
