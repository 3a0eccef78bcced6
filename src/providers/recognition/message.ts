/** A message of a provider, of which only what is read is checked. */
export type Message = Readonly<Record<string, unknown>>;

/** A value as an object; an empty one for anything else. */
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

/** A confidence, 0 to 1; where a provider tells none, one that is high enough to be believed and never certain. */
export function confidenceOf(value: unknown): number {
  return Math.min(1, Math.max(0, numberOf(value) ?? ASSUMED_CONFIDENCE));
}

const ASSUMED_CONFIDENCE = 0.8;

/** Seconds as milliseconds. */
export function msOf(seconds: unknown): number | undefined {
  const value = numberOf(seconds);
  return value === null ? undefined : Math.round(value * 1_000);
}
