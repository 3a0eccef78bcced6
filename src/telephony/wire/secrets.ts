/** The secrets that are good now: the newest one first, and others that still are. */
export function secretsOf(written: string): readonly string[] {
  return written
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}
