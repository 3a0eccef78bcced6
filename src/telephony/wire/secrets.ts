/**
 * Splits a setting with one or several secrets, separated by commas. Several are valid while an operator changes the
 * secret; the newest comes first.
 */
export function splitSecrets(written: string): readonly string[] {
  return written
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}
