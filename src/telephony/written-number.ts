/** E.164, as carriers write it; with or without its plus. */
const NUMBER = /^\+?[1-9]\d{6,14}$/;

/** A number with its plus; null for callers who hide theirs, and for addresses that are no telephone numbers. */
export function readNumber(written: string | null | undefined): string | null {
  const bare = written?.replaceAll(/[\s().-]/g, '') ?? '';
  return NUMBER.test(bare) ? `+${bare.replace('+', '')}` : null;
}
