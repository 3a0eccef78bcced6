/** The current secrets, the newest first. */
export function secretsOf(written: string): readonly string[] {
  return written
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}
