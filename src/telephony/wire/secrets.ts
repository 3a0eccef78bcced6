/**
 * Splits a setting with one or several secrets, separated by commas. Several are valid while an operator changes the
 * secret; the newest comes first. Used by the definitions of carriers.
 */
export function splitSecrets(setting: string): readonly string[] {
  return setting
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '');
}
